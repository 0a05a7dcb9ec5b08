// The table of files.
const coverageBar = (file) => bar(
  data.outcomes.map((outcome, index) => [outcome, file.references[index]]), `${file.percent} covered`);

const fileTable = longTable({
  id: "files",
  noun: "file",
  items: [...files].sort((one, other) => other.open - one.open || other.total - one.total),
  keys: [
    (file) => file.path,
    ...data.outcomes.map((outcome, index) => (file) => file.references[index]),
    (file) => file.coverage,
    () => 0,
    (file) => file.findings.length,
  ],
  text: (file) => file.path.toLowerCase(),
  row: (file) => {
    const row = element("tr");
    row.append(pathHead(file.path, editorLink(file, 1, 1)));
    for (const count of file.references) row.append(element("td", count.toLocaleString("en"), "number"));
    row.append(element("td", file.total ? file.percent : "", "number"));
    const picture = element("td", undefined, "bar");
    if (file.total) picture.append(coverageBar(file));
    row.append(picture, element("td", file.findings.length.toLocaleString("en"), "number"));
    const last = element("td", undefined, "number");
    if (file.size) {
      last.append(changesButton(file, (changes) => {
        const below = element("tr", undefined, "below");
        const cell = below.insertCell();
        cell.colSpan = row.cells.length;
        cell.append(changes);
        row.after(below);
        return below;
      }));
    }
    row.append(last);
    return row;
  },
});

if (data.compared.length) {
  longTable({
    id: "compared",
    noun: "file",
    items: data.compared,
    keys: [([path]) => path, ...data.compared[0][2].map((key, index) => ([, , keys]) => keys[index])],
    text: ([path]) => path.toLowerCase(),
    row: ([path, cells]) => {
      const row = element("tr");
      row.append(pathHead(path), ...cells.map((cell) => element("td", cell, "number")));
      return row;
    },
  });
}
