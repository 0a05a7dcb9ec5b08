// The map: folders as rectangles, their files in them, by CUDA references.
const map = byId("map");
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

// One file can be reached by Tab; the arrows go from there to its neighbours.
const cells = [];
let current = null;
const reach = (cell) => {
  if (current) current.made.setAttribute("tabindex", "-1");
  current = cell;
  cell.made.setAttribute("tabindex", "0");
};
// What shows the file that has the focus, above its neighbours.
const rings = ["ring", "ring inner"].map((name) => drawn("rect", { class: name, visibility: "hidden" }));
const ringAround = (place) => {
  for (const ring of rings) {
    ring.setAttribute("visibility", place ? "visible" : "hidden");
    for (const [name, value] of Object.entries(place || {})) ring.setAttribute(name, value);
  }
};
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const neighbour = (cell, [right, down]) => {
  let [best, least] = [null, Infinity];
  for (const other of cells) {
    const [across, along] = [other.x - cell.x, other.y - cell.y];
    const ahead = across * right + along * down;
    const aside = Math.abs(across * down) + Math.abs(along * right);
    if (ahead > 0.5 && ahead + 2 * aside < least) [best, least] = [other, ahead + 2 * aside];
  }
  return best;
};

const fileCell = (file, left, top, wide, high) => {
  const label = `${file.path}: ${file.percent} of ${counted(file.total, "reference")}`;
  const title = drawn("title", {});
  title.textContent = label;
  const made = drawn("g", { tabindex: "-1", role: "button", "aria-label": label }, title,
    drawn("rect", { x: left, y: top, width: wide, height: high, fill: shade(file) }));
  const cell = { made, x: left + wide / 2, y: top + high / 2 };
  cells.push(cell);
  made.addEventListener("click", () => onlyPath(file.path));
  made.addEventListener("focus", () => {
    reach(cell);
    if (made.matches(":focus-visible")) ringAround({ x: left, y: top, width: wide, height: high });
    byId("map-said").textContent = label;
  });
  made.addEventListener("blur", () => ringAround(null));
  made.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") onlyPath(file.path);
    else if (ARROWS[event.key]) neighbour(cell, ARROWS[event.key])?.made.focus();
    else return;
    event.preventDefault();
  });
  made.addEventListener("mouseenter", () => { byId("map-said").textContent = label; });
  return made;
};

const byFolder = [...folders].map(([name, own]) => ({
  name, own: own.sort((one, other) => other.total - one.total), total: sum(own.map((file) => file.total)),
}));
byFolder.sort((one, other) => other.total - one.total);
const labels = [];
split(byFolder, (folder) => folder.total, 0, 0, 1000, 380, (folder, x, y, width, height) => {
  split(folder.own, (file) => file.total, x, y, width, height, (file, ...place) => map.append(fileCell(file, ...place)));
  map.append(drawn("rect", { x, y, width, height, class: "folder" }));
  const room = Math.floor(width / 6.8) - 1;
  if (room > 12 && height > 16) {
    const label = drawn("text", { x: x + 5, y: y + 14 });
    label.textContent = folder.name.length > room ? "…" + folder.name.slice(-room + 1) : folder.name;
    labels.push(label);
  }
});
map.append(...labels, ...rings);
if (cells.length) reach(cells[0]);
