"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const STEP = 200;
  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

  const element = (name, text, className) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  };

  const files = data.files.map((file) => {
    const total = sum(file.references);
    const open = file.references[3] + file.references[4];
    return { ...file, total, open, coverage: total ? 1 - open / total : 1 };
  });
  const findings = files.flatMap((file) =>
    file.findings.map(([id, severity, effort, library, message, line, before, about, behind]) => ({
      file, id, severity, effort, library, message, line, before, about, behind,
      searched: `${file.path}\n${id}\n${message}`.toLowerCase(),
    })));

  // The table of files.
  const columns = [
    ["file", (file) => file.path],
    ...data.outcomes.map((outcome, index) => [outcome, (file) => file.references[index]]),
    ["coverage", (file) => file.coverage],
    ["findings", (file) => file.findings.length],
  ];
  const fileTable = document.getElementById("files");
  const moreFiles = document.getElementById("more-files");
  let sorted = [...files].sort((one, other) => other.open - one.open || other.total - one.total);
  let shownFiles = 0;

  const showFiles = (anew) => {
    const body = fileTable.tBodies[0];
    if (anew) { body.replaceChildren(); shownFiles = 0; }
    for (const file of sorted.slice(shownFiles, shownFiles + STEP)) {
      const row = body.insertRow();
      const head = element("th", file.path);
      head.scope = "row";
      row.append(head);
      for (const [name, value] of columns.slice(1)) {
        row.append(element("td", name === "coverage" ? file.percent : value(file).toLocaleString("en"), "number"));
      }
    }
    shownFiles = Math.min(shownFiles + STEP, sorted.length);
    moreFiles.hidden = shownFiles >= sorted.length;
  };

  columns.forEach(([name, value], index) => {
    const head = element("th", undefined, index ? "number" : "");
    head.scope = "col";
    const button = element("button", name);
    button.type = "button";
    button.addEventListener("click", () => {
      const ascending = head.getAttribute("aria-sort") === "descending";
      for (const other of fileTable.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      const sign = ascending ? 1 : -1;
      sorted.sort((one, other) => {
        const [first, second] = [value(one), value(other)];
        return sign * (first < second ? -1 : first > second ? 1 : 0);
      });
      showFiles(true);
    });
    head.append(button);
    fileTable.tHead.rows[0].append(head);
  });
  moreFiles.addEventListener("click", () => showFiles(false));

  // The findings.
  const list = document.getElementById("findings");
  const count = document.getElementById("findings-count");
  const moreFindings = document.getElementById("more-findings");
  const filter = (name) => document.getElementById("filter-" + name);
  let chosen = findings;
  let shown = 0;
  let lastFile = null;

  const fillDetails = (details, finding) => {
    if (finding.before || finding.about) {
      const code = element("pre");
      code.append(finding.before, element("mark", finding.about), finding.behind);
      details.append(code);
    }
    const rule = data.rules[finding.id];
    details.append(element("p", `${rule.advice} (effort: ${finding.effort})`, "advice"));
  };

  const showFindings = (anew) => {
    if (anew) { list.replaceChildren(); shown = 0; lastFile = null; }
    for (const finding of chosen.slice(shown, shown + STEP)) {
      if (finding.file !== lastFile) list.append(element("h3", finding.file.path));
      lastFile = finding.file;
      const details = element("details");
      const head = element("summary");
      head.append(element("span", finding.line ? String(finding.line) : "file", "place"),
        element("span", finding.severity, "severity " + finding.severity), element("span", finding.id, "id"),
        finding.message);
      head.title = data.rules[finding.id].title;
      details.append(head);
      details.addEventListener("toggle", () => {
        if (details.open && details.childElementCount === 1) fillDetails(details, finding);
      });
      list.append(details);
    }
    shown = Math.min(shown + STEP, chosen.length);
    moreFindings.hidden = shown >= chosen.length;
    count.textContent = chosen.length === findings.length
      ? `${findings.length.toLocaleString("en")} findings`
      : `${chosen.length.toLocaleString("en")} of ${findings.length.toLocaleString("en")} findings`;
  };

  const apply = () => {
    const text = filter("text").value.toLowerCase();
    const [severity, effort, library, id] = ["severity", "effort", "library", "id"].map((name) => filter(name).value);
    chosen = findings.filter((finding) =>
      (!text || finding.searched.includes(text)) && (!severity || finding.severity === severity) &&
      (!effort || finding.effort === effort) && (!library || finding.library === library) && (!id || finding.id === id));
    showFindings(true);
  };
  for (const name of ["library", "id"]) {
    for (const value of [...new Set(findings.map((finding) => finding[name]))].filter(Boolean).sort()) {
      const option = element("option", name === "id" ? `${value} ${data.rules[value].title}` : value);
      option.value = value;
      filter(name).append(option);
    }
  }
  const form = document.getElementById("filters");
  form.addEventListener("input", apply);
  form.addEventListener("reset", () => setTimeout(apply));
  form.addEventListener("submit", (event) => event.preventDefault());
  moreFindings.addEventListener("click", () => showFindings(false));

  // The map: folders as rectangles, their files in them, by CUDA references.
  const map = document.getElementById("map");
  const SVG = "http://www.w3.org/2000/svg";
  const folders = new Map();
  for (const file of files.filter((file) => file.total)) {
    const cut = file.path.lastIndexOf("/");
    const folder = cut < 0 ? "." : file.path.slice(0, cut);
    if (!folders.has(folder)) folders.set(folder, []);
    folders.get(folder).push(file);
  }

  const split = (items, size, x, y, width, height, place) => {
    // Halves of about the same weight, the longer side cut: deep enough for thousands, and stable.
    if (!items.length || width < 0.5 || height < 0.5) return;
    if (items.length === 1) { place(items[0], x, y, width, height); return; }
    const total = sum(items.map(size));
    let cut = 0;
    let weight = 0;
    while (cut < items.length - 1 && weight + size(items[cut]) / 2 < total / 2) weight += size(items[cut++]);
    cut = Math.max(cut, 1);
    weight = sum(items.slice(0, cut).map(size));
    const share = weight / total;
    const [first, second] = [items.slice(0, cut), items.slice(cut)];
    if (width >= height) {
      split(first, size, x, y, width * share, height, place);
      split(second, size, x + width * share, y, width * (1 - share), height, place);
    } else {
      split(first, size, x, y, width, height * share, place);
      split(second, size, x, y + height * share, width, height * (1 - share), place);
    }
  };
  const shade = (file) => {
    const open = Math.sqrt(file.open / file.total);
    const mix = (from, to) => Math.round(from + (to - from) * open);
    return `rgb(${mix(46, 160)}, ${mix(125, 32)}, ${mix(79, 32)})`;
  };
  const choosePath = (path) => { filter("text").value = path; apply(); document.getElementById("findings-title").scrollIntoView(); };
  const group = (label, path) => {
    const made = document.createElementNS(SVG, "g");
    made.setAttribute("tabindex", "0");
    made.setAttribute("role", "button");
    const title = document.createElementNS(SVG, "title");
    title.textContent = label;
    made.append(title);
    made.addEventListener("click", () => choosePath(path));
    made.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choosePath(path); }
    });
    return made;
  };
  const rectangle = (x, y, width, height, fill) => {
    const made = document.createElementNS(SVG, "rect");
    for (const [name, value] of Object.entries({ x, y, width, height, fill })) made.setAttribute(name, value);
    return made;
  };
  const byFolder = [...folders].map(([name, own]) => ({ name, own: own.sort((one, other) => other.total - one.total), total: sum(own.map((file) => file.total)) }));
  split(byFolder.sort((one, other) => other.total - one.total), (folder) => folder.total, 0, 0, 1000, 380, (folder, x, y, width, height) => {
    split(folder.own, (file) => file.total, x, y, width, height, (file, left, top, wide, high) => {
      const made = group(`${file.path}: ${file.percent} of ${file.total} references`, file.path);
      made.append(rectangle(left, top, wide, high, shade(file)));
      map.append(made);
    });
    const room = Math.floor(width / 6.2) - 1;
    if (room > 12 && height > 16) {
      const label = document.createElementNS(SVG, "text");
      label.setAttribute("x", x + 5);
      label.setAttribute("y", y + 13);
      label.textContent = folder.name.length > room ? "…" + folder.name.slice(-room + 1) : folder.name;
      map.append(label);
    }
  });

  showFiles(true);
  apply();
  document.documentElement.dataset.ready = "true";
})();
