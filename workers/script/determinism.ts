/** `Date` and `Math` without the clock and without chance: a resumed run must see what the first one saw. */

function disabled(name: string): never {
  throw new Error(`${name} is disabled in Pallium workflow scripts; pass values in through args`);
}

/**
 * A `Date` that needs to be told the time. It takes the place of the original also as the
 * `constructor` of every date, so it must be made before the intrinsics are frozen.
 */
export function createScriptDate(): object {
  const Original = Date;
  const ScriptDate = function (...args: unknown[]): object {
    if (new.target === undefined) return disabled("Date()");
    if (args.length === 0) return disabled("new Date()");
    return Reflect.construct(Original, args, new.target);
  };
  const now = { now: () => disabled("Date.now()") }.now;
  for (const [name, value] of Object.entries({ now, parse: Date.parse, UTC: Date.UTC })) {
    Object.defineProperty(ScriptDate, name, { value, writable: true, configurable: true });
  }
  Object.defineProperty(ScriptDate, "name", { value: "Date" });
  Object.defineProperty(ScriptDate, "length", { value: 7 });
  Object.defineProperty(ScriptDate, "prototype", { value: Original.prototype, writable: false });
  Object.defineProperty(Original.prototype, "constructor", { value: ScriptDate });
  return ScriptDate;
}

/** All of `Math` but what comes out of `Math.random`. */
export function createScriptMath(): object {
  const random = { random: () => disabled("Math.random()") }.random;
  return Object.create(Object.prototype, {
    ...Object.getOwnPropertyDescriptors(Math),
    random: { value: random, writable: true, configurable: true },
  });
}
