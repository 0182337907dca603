import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { CommandArgs } from "../../../src/cli/command.ts";
import { parseArgs } from "../../../src/cli/parse.ts";
import { PalliumError } from "../../../src/lib/errors.ts";

const ARGS = {
  id: { type: "string" },
  budget: { type: "string" },
  limit: { type: "string", default: "50", alias: ["n", "count"] },
  tag: { type: "string", multiple: true },
  style: { type: "enum", options: ["auto", "review", "test-fix"] },
  background: { type: "boolean", alias: "b" },
  cache: { type: "boolean", default: true },
} as const satisfies CommandArgs;

function parse(...words: readonly string[]) {
  return parseArgs(words, ARGS);
}

function refusal(...words: readonly string[]): PalliumError {
  try {
    parse(...words);
  } catch (thrown) {
    if (thrown instanceof PalliumError) return thrown;
    throw thrown;
  }
  throw new Error(`${words.join(" ")} was accepted`);
}

describe("values", () => {
  test.each([[["-id", "x"]], [["--id", "x"]], [["-id=x"]], [["--id=x"]]])("%p sets id", (words) => {
    expect(parse(...words).text("id")).toBe("x");
  });

  test("keep everything behind the first =", () => {
    expect(parse("--id=a=b c\n=d").text("id")).toBe("a=b c\n=d");
    expect(parse("--id=").text("id")).toBe("");
    expect(parse("--id=--limit").text("id")).toBe("--limit");
  });

  test("may be negative numbers, a lone dash, or sentences that begin with one", () => {
    expect(parse("--budget", "-1").text("budget")).toBe("-1");
    expect(parse("--budget", "-.5e3").text("budget")).toBe("-.5e3");
    expect(parse("--id", "-").text("id")).toBe("-");
    expect(parse("--id", "- first item").text("id")).toBe("- first item");
    expect(parse("--id", "").text("id")).toBe("");
  });

  test("are not flags or the end of flags", () => {
    for (const words of [
      ["--id", "--background"],
      ["--id", "--"],
      ["--id"],
      ["--id", "-nothing"],
    ]) {
      const error = refusal(...words);
      expect(error).toMatchObject({ message: "flag needs an argument: --id", exitCode: 2 });
    }
    expect(refusal("--id", "-nothing").hints).toEqual([
      "if -nothing is the value, write --id=-nothing",
    ]);
  });

  test("of a flag given twice: the last counts, a list has all", () => {
    const args = parse("--id", "1", "--tag", "a", "--id=2", "--tag=b");
    expect(args.text("id")).toBe("2");
    expect(args.list("tag")).toEqual(["a", "b"]);
  });

  test("come from defaults where nothing was given", () => {
    const args = parse();
    expect(args.text("limit")).toBe("50");
    expect(args.text("id")).toBeUndefined();
    expect(args.list("tag")).toEqual([]);
    expect(args.list("limit")).toEqual(["50"]);
    expect([args.given("limit"), parse("-n", "50").given("limit")]).toEqual([false, true]);
  });

  test("are found under every alias", () => {
    for (const spelling of ["-n", "--n", "--count", "-count", "--limit"]) {
      expect(parse(spelling, "7").text("limit")).toBe("7");
    }
  });
});

describe("booleans", () => {
  test.each([
    [["--background"], true],
    [["-b"], true],
    [["--background=true"], true],
    [["-background=1"], true],
    [["--background=false"], false],
    [["--background=F"], false],
    [["--background", "--background=false"], false],
    [[], false],
  ] as const)("%p is %p", (words, expected) => {
    expect(parse(...words).flag("background")).toBe(expected);
  });

  test("take no separate value", () => {
    const args = parse("--background", "false");
    expect(args.flag("background")).toBe(true);
    expect(args.rest).toEqual(["false"]);
  });

  test("refuse other values", () => {
    expect(refusal("--background=maybe")).toMatchObject({
      code: "usage",
      message: 'invalid boolean value "maybe" for --background',
    });
  });

  test("have a --no- form only where they are on by default", () => {
    expect(parse().flag("cache")).toBe(true);
    expect(parse("--no-cache").flag("cache")).toBe(false);
    expect(parse("--no-cache=false").flag("cache")).toBe(true);
    expect(refusal("--no-background").message).toBe(
      "flag provided but not defined: --no-background",
    );
  });
});

describe("whole numbers", () => {
  test("are read with their sign", () => {
    expect(parse("--limit", "-3").integer("limit")).toBe(-3);
    expect(parse("--limit=+3").integer("limit")).toBe(3);
    expect(parse().integer("limit")).toBe(50);
    expect(parse().integer("id")).toBeUndefined();
  });

  test.each(["", "3.5", "1e3", "0x10", " 3", "99999999999999999999", "ten"])(
    "are not %p",
    (text) => {
      const args = parse(`--limit=${text}`);
      expect(() => args.integer("limit")).toThrow(
        `invalid value ${JSON.stringify(text)} for --limit`,
      );
    },
  );
});

test("an enum takes its options only and names the nearest", () => {
  expect(parse("--style", "review").text("style")).toBe("review");
  expect(refusal("--style", "reviw")).toMatchObject({
    message: 'invalid value "reviw" for --style',
    hints: ["did you mean review?"],
  });
  expect(refusal("--style=zzz").hints).toEqual(["it takes one of: auto, review, test-fix"]);
});

test("a required flag must be given", () => {
  const definitions: CommandArgs = { name: { type: "string", required: true } };
  expect(() => parseArgs([], definitions)).toThrow("missing flag: --name");
  expect(parseArgs(["--name="], definitions).text("name")).toBe("");
});

test("a flag that is not defined is refused with the nearest name", () => {
  expect(refusal("--limt", "3")).toMatchObject({
    code: "usage",
    exitCode: 2,
    message: "flag provided but not defined: --limt",
    hints: ["did you mean --limit?"],
  });
  for (const word of ["-xyz", "--", "---id", "--=v", "--constructor", "--toString=1"]) {
    if (word === "--") continue;
    expect(refusal(word).message).toStartWith("flag provided but not defined: ");
  }
});

test("asking for a flag that the command does not define is a defect", () => {
  expect(() => parse().text("toString")).toThrow("defines no flag toString");
});

describe("positionals", () => {
  test("mix with flags", () => {
    const args = parse("fix", "--id", "x", "the", "-b", "bug");
    expect(args.rest).toEqual(["fix", "the", "bug"]);
  });

  test("are a lone dash, negative numbers, and quoted sentences that begin with a dash", () => {
    expect(parse("-", "-1", "-1.5", "--fix this", "").rest).toEqual([
      "-",
      "-1",
      "-1.5",
      "--fix this",
      "",
    ]);
  });

  test("are all words behind --", () => {
    expect(parse("a", "--", "--id", "-b", "--", "x").rest).toEqual(["a", "--id", "-b", "--", "x"]);
  });
});

describe("for any command line", () => {
  const plain = fc.string({ maxLength: 8 }).filter((word) => !word.startsWith("-"));
  const flag = fc.oneof(
    fc.tuple(fc.constantFrom("-id", "--id"), plain).map(([name, value]) => [name, value]),
    fc
      .tuple(fc.constantFrom("-tag", "--tag"), fc.string())
      .map(([name, value]) => [`${name}=${value}`]),
    fc.constantFrom(["-b"], ["--background"], ["--no-cache"], ["--cache=true"]),
  );

  test("positionals keep their order wherever the flags stand", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            plain.map((word) => ({ word })),
            flag.map((flags) => ({ flags })),
          ),
        ),
        fc.array(fc.string()),
        (items, behind) => {
          const words = items.flatMap((item) => ("word" in item ? [item.word] : item.flags));
          const expected = items.flatMap((item) => ("word" in item ? [item.word] : []));
          expect(parse(...words, "--", ...behind).rest).toEqual([...expected, ...behind]);
        },
      ),
    );
  });

  test("a value survives as it is behind =", () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(parse(`--id=${value}`).text("id")).toBe(value);
      }),
    );
  });

  test("it is parsed, or refused as a usage error", () => {
    const word = fc.oneof(
      fc.string(),
      fc.string().map((text) => `--${text}`),
      fc.string().map((text) => `-${text}`),
    );
    fc.assert(
      fc.property(fc.array(word), (words) => {
        try {
          parse(...words);
        } catch (thrown) {
          expect(thrown).toMatchObject({ code: "usage", exitCode: 2 });
        }
      }),
    );
  });
});
