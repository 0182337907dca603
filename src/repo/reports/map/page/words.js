/** Numbers, times and elements as people see them. */

const NUMBERS = new Intl.NumberFormat("en");
const UNITS = [
  { days: 365.25, name: "year" },
  { days: 30.44, name: "month" },
  { days: 7, name: "week" },
  { days: 1, name: "day" },
];

export function number(value) {
  return NUMBERS.format(value);
}

export function counted(value, one, many = `${one}s`) {
  return `${number(value)} ${value === 1 ? one : many}`;
}

/** How long ago, in the largest unit of which there are two. */
export function ago(days) {
  if (days === undefined) return "never committed";
  if (days < 1) return "today";
  const unit = UNITS.find((one) => days >= 2 * one.days) ?? UNITS.at(-1);
  return `${counted(Math.floor(days / unit.days), unit.name)} ago`;
}

/** An element; names of files come in as text, never as markup. */
export function element(tag, { className = "", text, ...attributes } = {}, children = []) {
  const made = document.createElement(tag);
  if (className !== "") made.className = className;
  if (text !== undefined) made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
