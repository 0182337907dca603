/** The comparison of a JSON document with the shape of another program's. */

type Shape = Record<string, readonly string[]>;
export interface Step {
  readonly exit: number;
  readonly shape: Shape | null;
}

/** Path to types; keys that are no identifiers stand as `*`. */
function shapeOf(value: unknown, path = "$", shape = new Map<string, Set<string>>()) {
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  shape.set(path, (shape.get(path) ?? new Set()).add(type));
  if (Array.isArray(value)) for (const item of value) shapeOf(item, `${path}[]`, shape);
  else if (type === "object") {
    for (const [key, field] of Object.entries(value as object)) {
      shapeOf(field, `${path}.${/^[A-Za-z_]\w*$/.test(key) ? key : "*"}`, shape);
    }
  }
  return shape;
}

/** Paths of a shape that a document lacks or has as another type; null asks for nothing. */
export function missing(wanted: Shape, document: unknown): string[] {
  const found = shapeOf(document);
  return Object.entries(wanted).flatMap(([path, types]) => {
    const useful = types.filter((type) => type !== "null");
    if (useful.length === 0 || useful.some((type) => found.get(path)?.has(type))) return [];
    return [`${path} wants ${useful.join("|")}, has ${[...(found.get(path) ?? [])].join("|") || "nothing"}`];
  });
}
