/** What stands beside the map: one file in numbers, and lists of files. */

import { trail } from "./tree.js";
import { ago, counted, element, number } from "./words.js";

/** Buttons from the top of the repository down to a node; the last one is where the reader is. */
export function crumbs(node, top, zoomTo) {
  const steps = trail(node);
  return steps.map((step, at) => {
    const text = step.parent === undefined ? top : step.name;
    if (at === steps.length - 1) return element("bdi", { text, "aria-current": "true" });
    const button = element("button", { type: "button" }, [element("bdi", { text })]);
    button.addEventListener("click", () => zoomTo(step));
    return button;
  });
}

/** The numbers of a node. */
export function details(node, top, reasons, zoomTo) {
  const path = element("div", { className: "trail" }, crumbs(node, top, zoomTo));
  const isOne = node.children === undefined && node.files === undefined;
  const fixes = node.commits === 0 ? 0 : Math.round((100 * node.fixes) / node.commits);
  const rows = [
    ...(isOne
      ? []
      : [
          ["Files", number(node.files)],
          ["High risk", counted(node.high, "file")],
        ]),
    ["Lines", number(node.lines)],
    [isOne ? "Commits" : "Changes", number(node.commits)],
    ["Fixes", node.fixes === 0 ? "none" : `${number(node.fixes)} (${fixes} %)`],
    ...(isOne ? [["Authors", number(node.authors)]] : []),
    ["Last change", ago(node.days)],
  ];
  const list = element(
    "dl",
    {},
    rows.flatMap(([text, value]) => [
      element("dt", { text }),
      element("dd", { text: value, ...(text === "Last change" ? { title: node.last ?? "" } : {}) }),
    ]),
  );
  return [path, ...(isOne ? [riskLine(node)] : []), list, ...reasonList(reasons)];
}

function riskLine({ risk, level }) {
  const text = element("span", { text: `Risk ${risk}, ${level}` });
  return element("div", { className: "risk" }, [bar(risk), text]);
}

function bar(share) {
  const fill = element("span", { className: "fill" });
  fill.style.width = `${share}%`;
  return element("span", { className: "bar", "aria-hidden": "true" }, [fill]);
}

function reasonList(reasons = []) {
  if (reasons.length === 0) return [];
  return [
    element(
      "ul",
      { className: "reasons quiet" },
      reasons.map((text) => element("li", { text })),
    ),
  ];
}

/** A row for each file; `choose(path)` when it is clicked. */
export function fileRows(files, choose) {
  return files.map((file) => {
    const cut = file.path.lastIndexOf("/") + 1;
    const button = element("button", { type: "button", className: "row", title: file.path }, [
      element("bdi", { className: "name", text: file.path.slice(cut) }),
      bar(file.score ?? file.risk),
      element("bdi", { className: "quiet", text: file.path.slice(0, cut) }),
      element("span", { className: "quiet", text: numbersOf(file) }),
    ]);
    button.addEventListener("click", () => choose(file.path));
    return element("li", {}, [button]);
  });
}

function numbersOf({ lines, commits, fixes }) {
  const numbers = [counted(lines, "line"), counted(commits, "commit")];
  return [...numbers, counted(fixes, "fix", "fixes")].join(" · ");
}
