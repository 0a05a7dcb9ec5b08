// Tables that sort by any column: those of the page itself, and those that are made row by row as they are asked for.

// Puts a button into each head of a table; `sort` is told of the column and of the direction.
const withSortButtons = (table, sort) => {
  [...table.tHead.rows[0].cells].forEach((head, index) => {
    if (!head.textContent.trim() || head.classList.contains("unsorted")) return;
    const name = head.textContent;
    head.replaceChildren(button(name, () => {
      const ascending = head.getAttribute("aria-sort") === "descending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      sort(index, ascending ? 1 : -1);
    }));
  });
};

const compare = (first, second) => (first < second ? -1 : first > second ? 1 : 0);

// A table that stands in the page as a whole. Of a long one the first rows are shown, with a filter.
const FIRST = 25;
const sortable = (table) => {
  const body = table.tBodies[0];
  const keyOf = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.key === undefined ? cell.textContent : Number(cell.dataset.key);
  };
  let wanted = "";
  let most = FIRST;
  let more = null;
  const apply = () => {
    if (!more) return;
    let fitting = 0;
    for (const row of body.rows) {
      const fits = row.textContent.toLowerCase().includes(wanted);
      row.hidden = !fits || ++fitting > most;
    }
    more.hidden = fitting <= most;
    more.textContent = `all ${fitting.toLocaleString("en")} rows`;
  };
  withSortButtons(table, (column, sign) => {
    const rows = [...body.rows];
    rows.sort((one, other) => sign * compare(keyOf(one, column), keyOf(other, column)));
    body.append(...rows);
    apply();
  });
  if (body.rows.length <= FIRST) return;
  const input = element("input");
  input.type = "search";
  input.placeholder = "a part of the row";
  input.addEventListener("input", () => { wanted = input.value.toLowerCase(); apply(); });
  const label = element("label", table.tHead.rows[0].cells[0].textContent);
  label.append(input);
  const filters = element("p", undefined, "filters");
  filters.append(label);
  more = button("", () => { most = Infinity; apply(); }, "more");
  const frame = table.closest(".wide-table") || table;
  frame.before(filters);
  frame.after(more);
  apply();
};

// A table of many items, of which some rows are made at a time.
//   id: of the table; the filter's, the counter's and the button's are made of it.
//   items: in the order in which they are shown first.
//   keys: by column, what an item is sorted by.
//   row: makes the row of an item.
//   text: what the filter looks for, in small letters.
const longTable = ({ id, items, keys, row, text, noun }) => {
  const table = byId(id);
  const more = byId(`${id}-more`);
  const count = byId(`${id}-count`);
  const filter = byId(`${id}-filter`);
  let chosen = items;
  let order = null;
  let shown = 0;

  const show = () => {
    table.tBodies[0].append(...chosen.slice(shown, shown + STEP).map(row));
    shown = Math.min(shown + STEP, chosen.length);
    more.hidden = shown >= chosen.length;
  };
  const apply = () => {
    const wanted = filter.value.toLowerCase();
    chosen = items.filter((item) => !wanted || text(item).includes(wanted));
    if (order) chosen.sort((one, other) => order.sign * compare(keys[order.column](one), keys[order.column](other)));
    const all = counted(items.length, noun);
    count.textContent = chosen.length === items.length ? all : `${chosen.length.toLocaleString("en")} of ${all}`;
    table.tBodies[0].replaceChildren();
    shown = 0;
    show();
  };
  withSortButtons(table, (column, sign) => { order = { column, sign }; apply(); });
  more.addEventListener("click", show);
  filter.addEventListener("input", apply);
  apply();
  return { only: (wanted) => { filter.value = wanted; apply(); } };
};

for (const table of document.querySelectorAll("table.sortable")) sortable(table);
