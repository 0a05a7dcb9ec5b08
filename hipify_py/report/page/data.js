// The data of the page: files, each with its findings and with what a conversion changes in it.
const data = JSON.parse(byId("data").textContent);

const files = data.files.map((file) => {
  const total = sum(file.references);
  const open = file.references[3] + file.references[4];
  return { ...file, total, open, coverage: total ? 1 - open / total : 1 };
});

const findings = files.flatMap((file) =>
  file.findings.map(([rule, severity, effort, line, library, message, before, about, behind, column]) => ({
    file, line, column, message,
    rule: data.rules[rule],
    id: data.rules[rule].id,
    severity: data.severities[severity],
    effort: data.efforts[effort],
    library: data.texts[library],
    code: [before, about, behind],
  })));

// The address that opens a place of a file in an editor; none unless the report was made with links.
const editorLink = (file, line, column) =>
  file.edit && file.edit.replaceAll("{line}", String(line || 1)).replaceAll("{column}", String(column || 1));

const findingsOf = new Map();
for (const finding of findings) {
  if (!findingsOf.has(finding.file)) findingsOf.set(finding.file, []);
  findingsOf.get(finding.file).push(finding);
}
