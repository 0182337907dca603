/** The page: its controls, legend and list. */
import { fileRows } from "./details.js";
import { createExplorer } from "./explorer.js";
import { ago, counted } from "./words.js";

const MOST_MATCHES = 50;

function start() {
  const at = (id) => document.getElementById(id);
  const data = JSON.parse(at("data").textContent);
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const explorer = createExplorer(data, at, dark);

  const list = () => {
    const letters = at("search").value.trim().toLowerCase();
    const found = explorer.search(letters);
    const isSearch = letters !== "";
    at("list-title").textContent = isSearch
      ? counted(found.length, "match", "matches")
      : "Hotspots";
    at("list-note").hidden = isSearch;
    const files = isSearch ? found.slice(0, MOST_MATCHES) : data.hotspots;
    at("list").replaceChildren(...fileRows(files, explorer.goTo));
  };

  const colour = () => {
    const [measure] = ticked("measure");
    const { stops, range } = explorer.colourBy(measure);
    const places = stops.map(([place, css]) => `${css} ${100 * place}%`);
    at("scale").style.background = `linear-gradient(to right, ${places.join(", ")})`;
    const [low, high] = ends(measure, range);
    at("scale-low").textContent = low;
    at("scale-high").textContent = high;
  };

  const showKinds = () => {
    explorer.showKinds(new Set(ticked("kind")));
    colour();
    list();
  };

  onChange("measure", colour);
  onChange("kind", showKinds);
  dark.addEventListener("change", colour);
  at("search").addEventListener("input", list);
  at("up").addEventListener("click", explorer.leave);
  document.addEventListener("keydown", (event) => onKey(event, at("search"), explorer.leave));
  showKinds();
}

function ticked(name) {
  return [...document.querySelectorAll(`[name=${name}]:checked`)].map(({ value }) => value);
}

function onChange(name, listen) {
  for (const input of document.querySelectorAll(`[name=${name}]`)) {
    input.addEventListener("change", listen);
  }
}

function onKey(event, search, leave) {
  const isTyping = event.target === search;
  if (event.key === "/" && !isTyping) {
    search.focus();
    event.preventDefault();
  } else if (event.key === "Escape" && isTyping) {
    search.value = "";
    search.dispatchEvent(new Event("input"));
  } else if (event.key === "Escape" || (event.key === "Backspace" && !isTyping)) {
    leave();
  }
}

/** What the ends of the scale stand for. */
function ends(measure, range) {
  if (measure === "risk") return ["low risk", "high risk"];
  if (measure === "commits") return ["never changed", counted(range.commits, "commit")];
  return [`changed ${ago(range.oldest)}`, ago(range.newest)];
}

start();
