/**
 * Where the rectangles of a treemap lie. Lengths are in pixels.
 * @typedef {{ x: number, y: number, width: number, height: number }} Box
 */

const GAP = 1;
const PADDING = 2;
const LABEL_HEIGHT = 17;
const LABEL_NEEDS = { width: 44, height: 40 };

/**
 * Divides a box in proportion to values that fall and are above 0, keeping the parts as square as
 * can be: Bruls, Huizing, van Wijk, "Squarified Treemaps", 2000.
 * @param {readonly number[]} values
 * @param {Box} box
 * @returns {Box[]} one for each value, in their order
 */
export function squarify(values, box) {
  const total = values.reduce((sum, value) => sum + value, 0);
  const scale = (box.width * box.height) / total;
  const boxes = [];
  let free = box;
  for (let from = 0; from < values.length; ) {
    const row = nextRow(values, from, scale, Math.min(free.width, free.height));
    free = placeRow(boxes, values, from, row, scale, free);
    from = row.to;
  }
  return boxes;
}

/** Takes values into a row along the shorter side while its worst part becomes no longer. */
function nextRow(values, from, scale, side) {
  const largest = values[from] * scale;
  let area = 0;
  let worst = Number.POSITIVE_INFINITY;
  let to = from;
  for (; to < values.length; to++) {
    const part = values[to] * scale;
    const sum = area + part;
    const ratio = Math.max(
      (side * side * largest) / (sum * sum),
      (sum * sum) / (side * side * part),
    );
    if (ratio > worst) break;
    worst = ratio;
    area = sum;
  }
  return { to: Math.max(to, from + 1), area };
}

/** Lays a row into the free box and returns what is left; the last row takes all of it. */
function placeRow(boxes, values, from, { to, area }, scale, free) {
  const { x, y, width, height } = free;
  const isColumn = width >= height;
  const side = isColumn ? height : width;
  const room = isColumn ? width : height;
  const depth = to === values.length || side === 0 ? room : Math.min(area / side, room);
  let along = 0;
  for (let at = from; at < to; at++) {
    const share = area === 0 ? 0 : (values[at] * scale * side) / area;
    const length = at === to - 1 ? side - along : Math.min(share, side - along);
    boxes.push(
      isColumn
        ? { x, y: y + along, width: depth, height: length }
        : { x: x + along, y, width: length, height: depth },
    );
    along += length;
  }
  return isColumn
    ? { x: x + depth, y, width: width - depth, height }
    : { x, y: y + depth, width, height: height - depth };
}

/**
 * Every rectangle of a folder that can be seen, folders in front of what lies in them. A folder
 * without room for what is in it is one rectangle.
 * @returns {{ node: object, box: Box, depth: number, label: boolean, solid: boolean }[]}
 */
export function layOut(folder, box) {
  const tiles = [];
  const place = (parent, within, depth) => {
    const boxes = squarify(
      parent.children.map((child) => child.lines),
      within,
    );
    for (const [at, node] of parent.children.entries()) {
      const snapped = snap(boxes[at]);
      if (snapped.width < 1 || snapped.height < 1) continue;
      if (node.children === undefined) {
        tiles.push({ node, box: snapped, depth, label: false, solid: true });
        continue;
      }
      const label = snapped.width >= LABEL_NEEDS.width && snapped.height >= LABEL_NEEDS.height;
      const inner = inside(snapped, label);
      const solid = inner.width < 2 || inner.height < 2;
      tiles.push({ node, box: snapped, depth, label, solid });
      if (!solid) place(node, inner, depth + 1);
    }
  };
  if (folder.children.length > 0) place(folder, box, 0);
  return tiles;
}

/** Whole pixels, with a gap to the next one at the right and below. */
function snap({ x, y, width, height }) {
  const [left, top] = [Math.round(x), Math.round(y)];
  const right = Math.round(x + width);
  const bottom = Math.round(y + height);
  return { x: left, y: top, width: right - left - GAP, height: bottom - top - GAP };
}

function inside({ x, y, width, height }, label) {
  if (!label) return { x, y, width: width + GAP, height: height + GAP };
  return {
    x: x + PADDING,
    y: y + LABEL_HEIGHT,
    width: width - 2 * PADDING + GAP,
    height: height - LABEL_HEIGHT - PADDING + GAP,
  };
}
