/** The files that the page was given, as nodes that know where they stand. */

const DAY = 24 * 3600 * 1000;

/** Adds to every node its path and parent, and to folders what is in them; the largest come first. */
export function prepare(node, now, parent) {
  node.parent = parent;
  node.path =
    parent === undefined || parent.path === "" ? node.name : `${parent.path}/${node.name}`;
  if (node.children === undefined) {
    if (node.last !== "") node.days = Math.max(0, (now - Date.parse(node.last)) / DAY);
    return node;
  }
  for (const child of node.children) prepare(child, now, node);
  node.children.sort((a, b) => b.lines - a.lines);
  const sum = (value) => node.children.reduce((total, child) => total + value(child), 0);
  node.files = sum((child) => child.files ?? 1);
  node.high = sum((child) => child.high ?? (child.level === "high" ? 1 : 0));
  node.lines = sum((child) => child.lines);
  node.commits = sum((child) => child.commits);
  node.fixes = sum((child) => child.fixes);
  node.risk = sum((child) => child.risk * child.lines) / Math.max(1, node.lines);
  const days = node.children.map((child) => child.days).filter((value) => value !== undefined);
  if (days.length > 0) node.days = Math.min(...days);
  return node;
}

/** A folder with nothing but the files of some kinds in it. */
export function onlyKinds(folder, kinds) {
  const children = folder.children.flatMap((child) => {
    if (child.children === undefined) return kinds.has(child.kind) ? [{ ...child }] : [];
    const inner = onlyKinds(child, kinds);
    return inner.children.length === 0 ? [] : [inner];
  });
  return { name: folder.name, children };
}

/** Every node below a folder that is none itself. */
export function leavesOf(folder) {
  return folder.children.flatMap((child) => (child.children ? leavesOf(child) : [child]));
}

/** The node at a path; `undefined` where there is none. */
export function find(folder, path) {
  if (folder.path === path) return folder;
  for (const child of folder.children ?? []) {
    if (child.path === path || path.startsWith(`${child.path}/`)) {
      const found = find(child, path);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** From the top down to a node, itself included. */
export function trail(node) {
  return node.parent === undefined ? [node] : [...trail(node.parent), node];
}

/** The folder of `from` in which a node lies; `undefined` where it lies in `from` itself. */
export function stepTowards(from, node) {
  const steps = trail(node);
  const next = steps[steps.indexOf(from) + 1];
  return next?.children === undefined ? undefined : next;
}

/** How far the measures of some files reach. */
export function rangeOf(leaves) {
  const days = leaves.map((leaf) => leaf.days).filter((value) => value !== undefined);
  const most = (values) => values.reduce((high, value) => Math.max(high, value), 0);
  return {
    commits: most(leaves.map((leaf) => leaf.commits)),
    oldest: most(days),
    newest: days.reduce((low, value) => Math.min(low, value), most(days)),
  };
}
