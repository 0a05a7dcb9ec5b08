// The findings: filtered, grouped by file, each with its code and what to do.
const list = byId("findings");
const count = byId("findings-count");
const moreFindings = byId("more-findings");
const filter = (name) => byId("filter-" + name);
const searched = data.texts.map((text) => text.toLowerCase());
let chosen = findings;
let shown = 0;
let lastFile = null;

const fillDetails = (details, finding) => {
  const [before, about, behind] = finding.code.map((number) => data.texts[number]);
  if (before || about) {
    const code = element("pre");
    code.append(before, element("mark", about), behind);
    details.append(code);
  }
  const advice = element("p", `${finding.rule.advice} (effort: ${finding.effort}) `, "advice");
  advice.append(linked(`${finding.id} explained`, `#about-${finding.id}`));
  details.append(advice);
};

const fileHead = (file) => {
  const head = element("h3");
  head.append(linked(file.path, editorLink(file, 1, 1)));
  if (file.size) head.append(" ", changesButton(file, (changes) => { head.after(changes); return changes; }));
  return head;
};

const showFindings = (anew) => {
  if (anew) { list.replaceChildren(); shown = 0; lastFile = null; }
  for (const finding of chosen.slice(shown, shown + STEP)) {
    if (finding.file !== lastFile) list.append(fileHead(finding.file));
    lastFile = finding.file;
    const details = element("details");
    const head = element("summary");
    head.append(linked(
      finding.line ? String(finding.line) : "file", editorLink(finding.file, finding.line, finding.column), "place"),
      element("span", finding.severity, "severity " + finding.severity), element("span", finding.id, "id"),
      data.texts[finding.message]);
    head.title = finding.rule.title;
    details.append(head);
    details.addEventListener("toggle", () => {
      if (details.open && details.childElementCount === 1) fillDetails(details, finding);
    });
    list.append(details);
  }
  shown = Math.min(shown + STEP, chosen.length);
  moreFindings.hidden = shown >= chosen.length;
  count.textContent = chosen.length === findings.length
    ? counted(findings.length, "finding")
    : `${chosen.length.toLocaleString("en")} of ${counted(findings.length, "finding")}`;
};

const applyFilters = () => {
  const text = filter("text").value.toLowerCase();
  const [severity, effort, library, id] = ["severity", "effort", "library", "id"].map((name) => filter(name).value);
  const isText = (finding) => searched[finding.message].includes(text) ||
    finding.file.path.toLowerCase().includes(text) || finding.id.toLowerCase().includes(text);
  chosen = findings.filter((finding) =>
    (!severity || finding.severity === severity) && (!effort || finding.effort === effort) &&
    (!library || finding.library === library) && (!id || finding.id === id) && (!text || isText(finding)));
  showFindings(true);
};

for (const name of ["library", "id"]) {
  for (const value of [...new Set(findings.map((finding) => finding[name]))].filter(Boolean).sort()) {
    const title = data.rules.find((rule) => rule.id === value)?.title;
    const option = element("option", name === "id" ? `${value} ${title}` : value);
    option.value = value;
    filter(name).append(option);
  }
}
const form = byId("filters");
form.addEventListener("input", applyFilters);
form.addEventListener("reset", () => setTimeout(applyFilters));
form.addEventListener("submit", (event) => event.preventDefault());
moreFindings.addEventListener("click", () => showFindings(false));

const onlyPath = (path) => {
  fileTable.only(path);
  filter("text").value = path;
  applyFilters();
  byId("files-title").scrollIntoView();
  byId("files-title").focus({ preventScroll: true });
};
