/** The script and the style of the page, each joined from its parts. */
import aside from "./page/aside.css" with { type: "text" };
import colours from "./page/colours.js" with { type: "text" };
import details from "./page/details.js" with { type: "text" };
import explorer from "./page/explorer.js" with { type: "text" };
import frame from "./page/frame.css" with { type: "text" };
import layout from "./page/layout.js" with { type: "text" };
import map from "./page/map.js" with { type: "text" };
import tree from "./page/tree.js" with { type: "text" };
import rectangles from "./page/treemap.css" with { type: "text" };
import treemap from "./page/treemap.js" with { type: "text" };
import words from "./page/words.js" with { type: "text" };

const IMPORT = /^import [^;]+;\n/gm;
const EXPORT = /^export (?=function |const )/gm;

/** A page that is one file has nothing to import from: its modules share their names. */
export function pageScript(): string {
  return [layout, colours, words, tree, treemap, details, explorer, map]
    .map((module) => module.replace(IMPORT, "").replace(EXPORT, ""))
    .join("\n");
}

/** The frame comes last: it has what changes on a narrow screen. */
export function pageStyle(): string {
  return [rectangles, aside, frame].join("\n");
}
