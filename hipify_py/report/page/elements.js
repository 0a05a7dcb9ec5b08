// Making elements. Whatever comes from a tree becomes text, never markup.
const STEP = 200;
const SVG = "http://www.w3.org/2000/svg";
const byId = (id) => document.getElementById(id);
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const counted = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

const element = (name, text, className) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
};

// A path that may be broken behind its folders and words, where there is no room.
const pathHead = (path, address) => {
  const head = element("th");
  const made = linked("", address);
  head.scope = "row";
  for (const part of path.split(/(?<=[/_.-])/)) made.append(part, element("wbr"));
  head.append(made);
  return head;
};

// A link; an address that is none gives the text alone.
const linked = (text, address, className) => {
  const made = element(address ? "a" : "span", text, className);
  if (address) made.href = address;
  return made;
};

const button = (text, act, className) => {
  const made = element("button", text, className);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
};

const drawn = (name, attributes, ...children) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};

// A bar whose parts are as long as their numbers.
const bar = (parts, label) => {
  const total = sum(parts.map(([, size]) => size)) || 1;
  let at = 0;
  const made = drawn("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none", role: "img", "aria-label": label });
  for (const [className, size] of parts) {
    if (size) made.append(drawn("rect", { class: className, x: at, width: size / total * 100, height: 8 }));
    at += size / total * 100;
  }
  return made;
};
