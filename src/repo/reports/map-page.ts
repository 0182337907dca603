/** The map as a page: one file that asks nothing of the network. */
import { createHash } from "node:crypto";
import { basename } from "node:path";
import { counted } from "../../lib/counted.ts";
import { visibleName } from "../../lib/visible-name.ts";
import { type DrawnFolder, type DrawnNode, type FoldedTree, foldTree } from "./map/fold.ts";
import { pageScript, pageStyle } from "./map/page-files.ts";
import type { MapReport } from "./map.ts";

/** Stands in every page, so that one can be told from other files. */
export const PAGE_MARK = '<meta name="generator" content="pallium map">';

/** A browser draws so many rectangles at once. */
const MOST_DRAWN = 5000;

/** The page as HTML. Files beyond 5,000 stand together in their folders; hotspots always stand alone. */
export function mapPage(report: MapReport): string {
  const { hotspots, tree, repo_root } = report;
  const title = visibleName(basename(repo_root)) || repo_root;
  const folded = foldTree(tree, new Set(hotspots.map(({ path }) => path)), MOST_DRAWN);
  const script = pageScript();
  const style = pageStyle();
  const data = {
    title,
    created_at: report.created_at,
    tree: visibleTree(folded.tree),
    hotspots: hotspots.map((hotspot) => ({ ...hotspot, path: visibleName(hotspot.path) })),
  };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${PAGE_MARK}
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src '${digest(script)}'; style-src '${digest(style)}'">
<title>${escaped(title)}: hotspots</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>${escaped(title)}</h1>
<p>${escaped(subtitle(report))}</p>
${controls(hotspots.length > 0)}
</header>
${BODY}
<footer>
<div class="legend"><span id="scale-low"></span><span id="scale"></span><span id="scale-high"></span></div>
<span>${escaped(notes(report, folded).join(" "))}</span>
</footer>
<noscript>The map is drawn by a script, which this browser does not run.</noscript>
<script type="application/json" id="data">${embedded(data)}</script>
<script type="module">${script}</script>
</body>
</html>
`;
}

/** Documents and data are large and say little; they are shown from the start where there is no code. */
function controls(hasCode: boolean): string {
  return `<fieldset aria-label="Colour by">
<label><input type="radio" name="measure" value="risk" checked>Risk</label>
<label><input type="radio" name="measure" value="commits">Commits</label>
<label><input type="radio" name="measure" value="age">Last change</label>
</fieldset>
<fieldset aria-label="Show">
<label><input type="checkbox" name="kind" value="code" checked>Code</label>
<label><input type="checkbox" name="kind" value="test" checked>Tests</label>
<label><input type="checkbox" name="kind" value="other"${hasCode ? "" : " checked"}>Docs, data</label>
</fieldset>
<input type="search" id="search" placeholder="Find files ( / )" aria-label="Find files">`;
}

const BODY = `<nav aria-label="Folder">
<button type="button" id="up" title="Out of the folder (Escape)" aria-label="Out of the folder">↑</button>
<span id="crumbs" class="trail"></span>
</nav>
<div id="map" role="group" aria-label="Files by size; arrow keys move, Enter opens a folder, Escape leaves it"></div>
<aside>
<section id="details" aria-label="File"></section>
<section class="list" aria-labelledby="list-title">
<h2 id="list-title" aria-live="polite">Hotspots</h2>
<p id="list-note" class="quiet">Code where size, changes and fixes meet.</p>
<ol id="list"></ol>
</section>
</aside>`;

function subtitle({ tree, branch, commit, created_at }: MapReport): string {
  const place = [visibleName(branch), commit.slice(0, 8)].filter((part) => part !== "");
  return [
    amount(tree.files, "file"),
    amount(tree.lines, "line"),
    `${place.join(" at ")}, ${created_at.slice(0, 10)}`,
  ].join(" · ");
}

function notes({ tree }: MapReport, { folded }: FoldedTree): readonly string[] {
  const empty = filesWithoutLines(tree.children);
  return [
    "The area of a file is its number of lines.",
    ...(folded > 0 ? [`${amount(folded, "file")} too small to be drawn stand together.`] : []),
    ...(empty > 0 ? [`${amount(empty, "file")} without lines of text left out.`] : []),
  ];
}

function filesWithoutLines(nodes: MapReport["tree"]["children"]): number {
  return nodes.reduce((count, node) => {
    if ("children" in node) return count + filesWithoutLines(node.children);
    return count + (node.lines === 0 ? 1 : 0);
  }, 0);
}

function visibleTree(node: DrawnFolder): DrawnFolder {
  const children = node.children.map(
    (child): DrawnNode =>
      "children" in child ? visibleTree(child) : { ...child, name: visibleName(child.name) },
  );
  return { name: visibleName(node.name), children };
}

/** A count with the thousands set apart. */
function amount(count: number, one: string): string {
  return counted(count, one).replace(/\d+/, count.toLocaleString("en"));
}

/** JSON that cannot end the element it stands in, whatever names it holds. */
function embedded(data: object): string {
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

function digest(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
