// What a conversion changes in a file, side by side, with the words that differ marked.
const MOST_PAIRS = 1000000;
const linesOf = (text) => text.split("\n").slice(0, -1);

// Lines as words, each with the number of its line.
const wordsOf = (lines) => lines.flatMap((line, number) =>
  (line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) || []).map((text) => ({ text, number, same: false })));

// Marks the words that both sides have in the same order, and returns the pairs of them.
const matched = (old, fresh) => {
  const pairs = [];
  const pair = (one, other) => { one.same = other.same = true; pairs.push([one, other]); };
  let start = 0;
  while (start < old.length && start < fresh.length && old[start].text === fresh[start].text) {
    pair(old[start], fresh[start++]);
  }
  let [oldEnd, freshEnd] = [old.length, fresh.length];
  while (oldEnd > start && freshEnd > start && old[oldEnd - 1].text === fresh[freshEnd - 1].text) {
    pair(old[--oldEnd], fresh[--freshEnd]);
  }
  const [height, width] = [oldEnd - start, freshEnd - start];
  if (height * width > MOST_PAIRS) return pairs;
  // The longest common subsequence of what is left.
  const length = Array.from({ length: height + 1 }, () => new Uint32Array(width + 1));
  for (let i = height - 1; i >= 0; i--) {
    for (let j = width - 1; j >= 0; j--) {
      length[i][j] = old[start + i].text === fresh[start + j].text
        ? length[i + 1][j + 1] + 1 : Math.max(length[i + 1][j], length[i][j + 1]);
    }
  }
  for (let i = 0, j = 0; i < height && j < width;) {
    if (old[start + i].text === fresh[start + j].text) pair(old[start + i++], fresh[start + j++]);
    else if (length[i + 1][j] >= length[i][j + 1]) i++;
    else j++;
  }
  return pairs;
};

// Which old line stands beside which new one: those that share most, in their order.
const besides = (pairs, oldCount, freshCount) => {
  const shared = new Map();
  for (const [one, other] of pairs) {
    if (!/[\p{L}\p{N}_]/u.test(one.text)) continue;
    if (!shared.has(one.number)) shared.set(one.number, new Map());
    const row = shared.get(one.number);
    row.set(other.number, (row.get(other.number) || 0) + one.text.length);
  }
  const rows = [];
  let [old, fresh] = [0, 0];
  const upTo = (oldEnd, freshEnd) => {
    while (old < oldEnd || fresh < freshEnd) {
      rows.push([old < oldEnd ? old++ : null, fresh < freshEnd ? fresh++ : null]);
    }
  };
  for (let number = 0; number < oldCount; number++) {
    const best = [...(shared.get(number) || [])].filter(([other]) => other >= fresh)
      .sort((one, other) => other[1] - one[1] || one[0] - other[0])[0];
    if (best === undefined) continue;
    upTo(number, best[0]);
    rows.push([old++, fresh++]);
  }
  upTo(oldCount, freshCount);
  return rows;
};

const codeCell = (words, isAlone, className) => {
  const cell = element("td", undefined, className);
  let marked = null;
  for (const { text, same } of words) {
    if (same || isAlone) {
      cell.append(text);
      marked = null;
    } else if (marked) {
      marked.textContent += text;
    } else {
      marked = element(className.includes("old") ? "del" : "ins", text);
      cell.append(marked);
    }
  }
  return cell;
};

const diffRow = (left, right) => {
  const row = element("tr");
  for (const side of [left, right]) {
    row.append(element("td", side.line === null ? "" : String(side.line), "line-number"), side.cell);
  }
  return row;
};

const diffTable = (file) => {
  const table = element("table", undefined, "diff");
  const found = new Map();
  for (const finding of findingsOf.get(file) || []) found.set(finding.line, [...(found.get(finding.line) || []), finding]);
  const withFindings = (cell, line) => {
    for (const finding of (found.get(line) || []).slice(0, 3)) {
      const chip = element("span", finding.id, "chip severity " + finding.severity);
      chip.title = data.texts[finding.message];
      cell.append(" ", chip);
    }
    return cell;
  };
  const columns = element("colgroup");
  for (const name of ["line-number", "code", "line-number", "code"]) columns.append(element("col", undefined, name));
  table.append(columns);
  const head = table.createTHead().insertRow();
  for (const name of ["CUDA", "HIP"]) {
    const cell = element("th", name);
    cell.scope = "colgroup";
    cell.colSpan = 2;
    head.append(cell);
  }
  const body = table.createTBody();
  file.changes.forEach(([oldStart, freshStart, ...texts], index) => {
    let [oldLine, freshLine] = [oldStart, freshStart];
    const gap = body.insertRow();
    gap.className = "gap";
    gap.append(element("td", `line ${oldStart}`));
    gap.cells[0].colSpan = 4;
    const unchanged = (text) => {
      for (const line of linesOf(text)) {
        body.append(diffRow({ line: oldLine, cell: withFindings(element("td", line), oldLine) },
          { line: freshLine, cell: element("td", line) }));
        oldLine++;
        freshLine++;
      }
    };
    for (let at = 0; at + 2 < texts.length; at += 3) {
      unchanged(texts[at]);
      const [oldLines, freshLines] = [linesOf(texts[at + 1]), linesOf(texts[at + 2])];
      const [oldWords, freshWords] = [wordsOf(oldLines), wordsOf(freshLines)];
      const pairs = matched(oldWords, freshWords);
      const cellOf = (words, number, isAlone, className) => number === null
        ? element("td", undefined, "none")
        : codeCell(words.filter((word) => word.number === number), isAlone, className);
      for (const [old, fresh] of besides(pairs, oldLines.length, freshLines.length)) {
        const isAlone = old === null || fresh === null;
        const line = old === null ? null : oldLine + old;
        body.append(diffRow(
          { line, cell: withFindings(cellOf(oldWords, old, isAlone, "old"), line) },
          { line: fresh === null ? null : freshLine + fresh, cell: cellOf(freshWords, fresh, isAlone, "new") }));
      }
      oldLine += oldLines.length;
      freshLine += freshLines.length;
    }
    unchanged(texts[texts.length - 1]);
  });
  return table;
};

// What stands where the changes of a file are asked for.
const changesOf = (file) => {
  const made = element("div", undefined, "changes");
  made.tabIndex = 0;
  made.setAttribute("role", "region");
  made.setAttribute("aria-label", `changes in ${file.path}`);
  made.append(file.changes ? diffTable(file) : element("p",
    `The changes (${counted(file.size, "byte")} with the lines around them) are left out: the page would grow too large. `
    + "hipify-py convert --diff shows them.", "hint"));
  return made;
};

// The button that opens and closes the changes of a file; `place` puts them into the page.
const changesButton = (file, place) => {
  let open = null;
  const made = button("changes", () => {
    if (open) {
      open.remove();
      open = null;
    } else {
      open = place(changesOf(file));
    }
    made.setAttribute("aria-expanded", String(open !== null));
  }, "small");
  made.setAttribute("aria-expanded", "false");
  made.setAttribute("aria-label", `changes in ${file.path}`);
  return made;
};
