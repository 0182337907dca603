import { describe, expect, test } from "bun:test";
import { LANGUAGE_GLOBALS, SCRIPT_API_NAMES } from "../../src/workflow/script/constants.ts";
import { WITHHELD_GLOBALS } from "../../workers/script/withheld.ts";
import { resultOf } from "../support/script-host.ts";

describe("globals of a script", () => {
  test("are those of the language and the script API, and no others", async () => {
    const names = await resultOf(
      `const text = (key) => typeof key === "symbol" ? key.toString() : key;
       return Reflect.ownKeys(globalThis).map(text)`,
    );
    const expected = [...LANGUAGE_GLOBALS, ...SCRIPT_API_NAMES, "Symbol(Symbol.unscopables)"];
    expect((names as string[]).sort()).toEqual(expected.sort());
  });

  test("have nothing behind them", async () => {
    expect(
      await resultOf(
        "return [Object.getPrototypeOf(globalThis) === Object.prototype, typeof this, globalThis.globalThis === globalThis]",
      ),
    ).toEqual([true, "undefined", true]);
  });

  test("do not include what was withheld, under any name", async () => {
    const types = WITHHELD_GLOBALS.map((name) => `typeof globalThis.${name}`).join(", ");
    expect(new Set((await resultOf(`return [${types}]`)) as string[])).toEqual(
      new Set(["undefined"]),
    );
    const doors = `[Object[Symbol.for("harden")], new Date(0).toTemporalInstant]`;
    expect(await resultOf(`return ${doors}.map((door) => typeof door)`)).toEqual([
      "undefined",
      "undefined",
    ]);
  });

  test("Date and Math are whole but for the clock and chance", async () => {
    expect(
      await resultOf(
        `return [
          new Date(0) instanceof Date,
          new Date(0).constructor === Date,
          new Date(2020, 0, 2, 3).toISOString(),
          Date.UTC(1970, 0, 2),
          Date.parse("1970-01-01T00:00:01Z"),
          new (class extends Date {})(5).getTime(),
          Math.max(1, 2) + Math.PI > 5,
          Object.prototype.toString.call(Math),
        ]`,
      ),
    ).toEqual([true, true, "2020-01-02T03:00:00.000Z", 86_400_000, 1000, 5, true, "[object Math]"]);
  });

  const DISABLED = ["Date.now()", "new Date()", "Date()", "Math.random()"];
  test.each(DISABLED)("%s says what to do instead", async (name) => {
    const message = `${name} is disabled in Pallium workflow scripts; pass values in through args`;
    expect(await resultOf(`try { ${name} } catch (e) { return e.message }`)).toBe(message);
  });
});

describe("objects that scripts share with the worker", () => {
  test("are frozen, all that can be reached from a global", async () => {
    const loose = await resultOf(`
      const seen = new Set([globalThis]);
      const loose = [];
      const visit = (value, path) => {
        if ((typeof value !== "object" && typeof value !== "function") || value === null) return;
        if (seen.has(value)) return;
        seen.add(value);
        if (!Object.isFrozen(value)) loose.push(path);
        visit(Object.getPrototypeOf(value), path + ".__proto__");
        for (const key of Reflect.ownKeys(value)) {
          const at = path + "." + String(key);
          const { value: member, get, set } = Object.getOwnPropertyDescriptor(value, key);
          visit(member, at);
          visit(get, at);
          visit(set, at);
        }
      };
      for (const key of Reflect.ownKeys(globalThis)) visit(globalThis[key], String(key));
      return [loose, seen.size > 500]`);
    expect(loose).toEqual([[], true]);
  });

  test("can be overridden in objects of the script", async () => {
    expect(
      await resultOf(
        `const counts = {}; counts["constructor"] = 1; counts.toString = "x";
         const error = new Error("x"); error.name = "Mine"; error.message = "y";
         return [counts, String(error)]`,
      ),
    ).toEqual([{ constructor: 1, toString: "x" }, "Mine: y"]);
  });
});
