/** Draws a folder as a treemap and says what the reader points at. */
import { layOut } from "./layout.js";
import { number } from "./words.js";

const NAME_NEEDS = { width: 38, height: 15 };
const LINES_NEED = { width: 56, height: 32 };
const ARROWS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** @param on `point(node)`, `choose(node)`, `open(node)`: looked at, clicked or focused, entered. */
export function createTreemap(container, on) {
  const state = { tiles: [], elements: new Map(), focused: undefined };

  const draw = (folder, paint) => {
    const { clientWidth: width, clientHeight: height } = container;
    state.tiles = layOut(folder, { x: 0, y: 0, width: width + 1, height: height + 1 });
    state.elements = new Map(state.tiles.map((tile, at) => [tile.node, tileElement(tile, at)]));
    container.replaceChildren(...state.elements.values());
    colour(paint);
    const first = state.elements.get(state.focused) ?? container.firstElementChild;
    first?.setAttribute("tabindex", "0");
  };

  const colour = (paint) => {
    for (const { node, solid } of state.tiles) {
      if (!solid) continue;
      const { css, darkInk } = paint(node);
      const tile = state.elements.get(node);
      tile.style.backgroundColor = css;
      tile.classList.toggle("dark-ink", darkInk);
    }
  };

  /** Marks one node as the chosen one, and the rest as what does not match, if anything does. */
  const mark = (chosen, matches) => {
    container.classList.toggle("searching", matches !== undefined);
    for (const [node, tile] of state.elements) {
      tile.classList.toggle("chosen", node === chosen);
      tile.classList.toggle("match", matches?.has(node) ?? false);
    }
  };

  const focus = (node) => {
    const tile = state.elements.get(node);
    if (tile === undefined) return;
    container.querySelector("[tabindex='0']")?.setAttribute("tabindex", "-1");
    tile.setAttribute("tabindex", "0");
    state.focused = node;
    tile.focus({ preventScroll: true });
  };

  const nodeAt = (event) => {
    const tile = event.target.closest?.(".tile");
    return state.tiles[tile?.dataset.at]?.node;
  };

  container.addEventListener("pointerover", (event) => on.point(nodeAt(event)));
  container.addEventListener("pointerleave", () => on.point(undefined));
  container.addEventListener("click", (event) => {
    const node = nodeAt(event);
    if (node?.children !== undefined) on.open(node);
    else if (node !== undefined) on.choose(node);
  });
  container.addEventListener("dblclick", (event) => {
    const node = nodeAt(event);
    if (node !== undefined) on.open(node);
  });
  container.addEventListener("focusin", (event) => {
    const node = nodeAt(event);
    if (node === undefined) return;
    state.focused = node;
    on.choose(node);
  });
  container.addEventListener("keydown", (event) => {
    const node = nodeAt(event);
    if (node === undefined) return;
    if (event.key === "Enter" || event.key === " ") on.open(node);
    else if (ARROWS[event.key] === undefined) return;
    else focus(neighbour(state.tiles, node, ARROWS[event.key]));
    event.preventDefault();
  });

  return { draw, colour, mark, focus, has: (node) => state.elements.has(node) };
}

function tileElement({ node, box, depth, label, solid }, at) {
  const tile = document.createElement("div");
  tile.className = solid ? "tile" : "tile folder";
  tile.dataset.at = at;
  tile.tabIndex = -1;
  tile.setAttribute("role", "button");
  tile.setAttribute("aria-label", spoken(node));
  tile.style.left = `${box.x}px`;
  tile.style.top = `${box.y}px`;
  tile.style.width = `${box.width}px`;
  tile.style.height = `${box.height}px`;
  if (!solid) tile.dataset.depth = Math.min(depth, 3);
  const fits = (needs) => box.width >= needs.width && box.height >= needs.height;
  if (label || (solid && fits(NAME_NEEDS))) tile.append(line("name", node.name));
  if (solid && fits(LINES_NEED)) tile.append(line("lines", number(node.lines)));
  return tile;
}

function line(className, text) {
  const span = document.createElement("bdi");
  span.className = className;
  span.textContent = text;
  return span;
}

function spoken(node) {
  const size = `${node.path}, ${number(node.lines)} lines`;
  return node.children === undefined ? `${size}, risk ${node.risk}` : `folder ${size}`;
}

/** The nearest tile of a file or closed folder in a direction, judged from middle to middle. */
function neighbour(tiles, node, [dx, dy]) {
  const middle = ({ box }) => [box.x + box.width / 2, box.y + box.height / 2];
  const start = tiles.find((tile) => tile.node === node);
  const [x, y] = middle(start);
  let nearest = { node, distance: Number.POSITIVE_INFINITY };
  for (const tile of tiles) {
    if (tile === start || !tile.solid) continue;
    const [tileX, tileY] = middle(tile);
    const ahead = (tileX - x) * dx + (tileY - y) * dy;
    const aside = Math.abs((tileX - x) * dy + (tileY - y) * dx);
    const distance = ahead + 2 * aside;
    if (ahead > 0.5 && distance < nearest.distance) nearest = { node: tile.node, distance };
  }
  return nearest.node;
}
