/** What the reader sees of the map: a folder of it, its colours, and the node that is chosen. */
import { colourAt, placeOn, stopsOf } from "./colours.js";
import { crumbs, details } from "./details.js";
import { find, leavesOf, onlyKinds, prepare, rangeOf, stepTowards, trail } from "./tree.js";
import { createTreemap } from "./treemap.js";

/**
 * @param at finds an element of the page by its id.
 * @param dark whether the page is dark, as `matches`.
 */
export function createExplorer(data, at, dark) {
  const reasons = new Map(data.hotspots.map((hotspot) => [hotspot.path, hotspot.reasons]));
  const state = { measure: "risk", chosen: undefined, matches: undefined };

  const paint = () => {
    const stops = stopsOf(state.measure, dark.matches);
    const place = placeOn(state.measure, state.range);
    return (node) => colourAt(stops, place(node));
  };

  const describe = (node) => {
    const shown = node ?? state.chosen ?? state.folder;
    at("details").replaceChildren(...details(shown, data.title, reasons.get(shown.path), zoomTo));
  };

  const choose = (node) => {
    state.chosen = node;
    treemap.mark(node, state.matches);
    describe(node);
  };

  const enter = (node) => {
    const folder = node.children === undefined ? stepTowards(state.folder, node) : node;
    if (folder !== undefined) zoomTo(folder);
  };

  const treemap = createTreemap(at("map"), { point: describe, choose, open: enter });

  const draw = () => {
    treemap.draw(state.folder, paint());
    treemap.mark(state.chosen, state.matches);
  };

  /** Shows the folder that the address names. */
  const show = () => {
    const hadFocus = at("map").contains(document.activeElement);
    const folder = addressed(state.root);
    const isInside = state.chosen !== undefined && trail(state.chosen).includes(folder);
    Object.assign(state, { folder, chosen: isInside ? state.chosen : undefined });
    at("crumbs").replaceChildren(...crumbs(folder, data.title, zoomTo));
    at("up").disabled = folder.parent === undefined;
    draw();
    describe(undefined);
    if (hadFocus) treemap.focus(treemap.has(state.chosen) ? state.chosen : folder.children[0]);
  };

  /** The address keeps the folder, so that the browser's way back leads out of it. */
  function zoomTo(folder) {
    if (folder.children === undefined || folder === state.folder) return;
    location.hash = new URLSearchParams({ folder: folder.path });
  }

  /** Leaves out the files of other kinds than these. */
  const showKinds = (kinds) => {
    const root = prepare(onlyKinds(data.tree, kinds), Date.parse(data.created_at), undefined);
    const leaves = leavesOf(root);
    Object.assign(state, { root, leaves, range: rangeOf(leaves), chosen: undefined });
    show();
  };

  const goTo = (path) => {
    const node = find(state.root, path);
    if (node === undefined) return;
    choose(node);
    if (treemap.has(node)) treemap.focus(node);
    else zoomTo(node.parent);
  };

  /** Makes everything fade that has not these letters in its path. @returns what has. */
  const search = (letters) => {
    const found = state.leaves.filter((leaf) => leaf.path.toLowerCase().includes(letters));
    state.matches = letters === "" ? undefined : new Set(found.flatMap(trail));
    treemap.mark(state.chosen, state.matches);
    return found;
  };

  const colourBy = (measure) => {
    state.measure = measure;
    treemap.colour(paint());
    return { stops: stopsOf(measure, dark.matches), range: state.range };
  };

  const leave = () => {
    if (state.folder.parent !== undefined) zoomTo(state.folder.parent);
  };

  window.addEventListener("hashchange", show);
  new ResizeObserver(draw).observe(at("map"));
  return { showKinds, goTo, search, colourBy, leave };
}

/** The folder that the address names; else the one at the top. */
function addressed(root) {
  const path = new URLSearchParams(location.hash.slice(1)).get("folder") ?? "";
  const named = find(root, path);
  return named?.children === undefined ? root : named;
}
