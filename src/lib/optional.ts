type Optional<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Leaves out what is `undefined`, as exact optional properties ask for. */
export function optional<T extends object>(fields: T): Optional<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Optional<T>;
}
