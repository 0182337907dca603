import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { MESSAGE_LIMIT, type TestFailure } from "../../../../src/lib/test-output/failure.ts";
import { FAILURE_LIMIT, parseFailures } from "../../../../src/lib/test-output/parse.ts";
import { EXPECTED } from "./expected.ts";

const FIXTURES = join(import.meta.dir, "../../../fixtures/test-output");
const MEGABYTE = 1024 * 1024;

function fixture(name: string): string {
  return readFileSync(join(FIXTURES, `${name}.txt`), "utf8");
}

function describeFailure(failure: TestFailure): string {
  const [firstLine] = failure.message.split("\n");
  return `${failure.name} | ${failure.file ?? ""}:${failure.line ?? ""} | ${firstLine}`;
}

describe("output of real tools", () => {
  for (const [name, expected] of Object.entries(EXPECTED)) {
    test(name, () => {
      expect(parseFailures(fixture(name), 1).map(describeFailure)).toEqual([...expected]);
    });
  }

  test("every fixture has its expectation", () => {
    const names = readdirSync(FIXTURES).filter((file) => file.endsWith(".txt"));
    expect(names.map((file) => file.replace(".txt", "")).sort()).toEqual(
      Object.keys(EXPECTED).sort(),
    );
  });

  test("Windows line ends change nothing", () => {
    for (const [name, expected] of Object.entries(EXPECTED)) {
      if (name === "go-json") continue;
      const output = fixture(name).replaceAll("\n", "\r\n");
      expect(parseFailures(output, 1).map(describeFailure)).toEqual([...expected]);
    }
  });

  test("a message keeps its lines, without the indentation of its tool", () => {
    const [first] = parseFailures(fixture("jest"), 1);
    expect(first?.message).toBe(
      "expect(received).toBe(expected) // Object.is equality\n\nExpected: 3\nReceived: -1",
    );
  });
});

describe("mixed output", () => {
  test("failures of several tools are all found", () => {
    const mixed = ["tsc-plain", "eslint-stylish", "go-plain", "pytest-long"];
    const found = parseFailures(mixed.map(fixture).join("\n"), 1).map(describeFailure);
    for (const expected of mixed.flatMap((name) => EXPECTED[name] ?? [])) {
      expect(found).toContain(expected);
    }
  });

  test("what is printed twice is returned once", () => {
    const once = parseFailures(fixture("cargo-compile"), 1);
    expect(parseFailures(fixture("cargo-compile") + fixture("cargo-compile"), 1)).toEqual(once);
  });

  test("a command that succeeded has no failures, whatever it printed", () => {
    expect(parseFailures(fixture("go-plain"), 0)).toEqual([]);
  });

  test("plain prose is no failure", () => {
    const prose = "FAILED to connect\nError: something\nFAIL\nerror: could not find it\n";
    expect(parseFailures(prose, 1)).toEqual([]);
  });
});

describe("limits", () => {
  test("at most the limit of failures is returned", () => {
    const many = Array.from({ length: 500 }, (_, index) => `a.ts(${index + 1},1): error TS1: bad`);
    expect(parseFailures(many.join("\n"), 1)).toHaveLength(FAILURE_LIMIT);
  });

  test("a long message loses its middle and says so", () => {
    const output = `a.ts(1,1): error TS1: begin ${"x".repeat(3000)} end`;
    const [failure] = parseFailures(output, 1);
    expect(failure?.message.length).toBeLessThanOrEqual(MESSAGE_LIMIT);
    expect(failure?.message).toMatch(/^begin x+\n\[… \d+ characters cut …\]\nx+ end$/);
  });

  const hostile: Record<string, string> = {
    "one line": "x",
    "blank lines": "\n",
    "carriage returns": "\r",
    "short lines": "x\n",
    "escape characters": "\u001b[",
    "places without end": ":1:1: [Error/",
    "nested brackets": "at ((((((:1:1((",
    "broken events": '{"Action":',
    rules: "=== FAILURES ===\n__ x _x _x _x y\n",
    "quotes of a panic": "thread '' panicked at '', '', '\n",
    "failed tests": "--- FAIL: T (0.00s)\n",
    suites: " FAIL  a [ a [ a ]x\n",
  };
  for (const [name, piece] of Object.entries(hostile)) {
    test(`10 MB of ${name} end in time`, () => {
      const output = piece.repeat(Math.ceil((10 * MEGABYTE) / piece.length));
      const before = process.cpuUsage();
      parseFailures(output, 1);
      // Processor time, far above the second it takes: it only tells linear from quadratic.
      expect(process.cpuUsage(before).user / 1e6).toBeLessThan(10);
    });
  }
});

describe("any input", () => {
  const lines = readdirSync(FIXTURES)
    .filter((file) => file.endsWith(".txt"))
    .flatMap((file) => readFileSync(join(FIXTURES, file), "utf8").split("\n"));
  const line = fc.oneof(fc.constantFrom(...lines), fc.string({ unit: "binary" }));

  test("is read without throwing, within the limits", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 80 }), (some) => {
        for (const failure of parseFailures(some.join("\n"), 1)) {
          expect(failure.name).not.toBe("");
          expect(failure.message.length).toBeLessThanOrEqual(MESSAGE_LIMIT);
          if (failure.line !== undefined) expect(failure.file).toBeDefined();
        }
      }),
      { numRuns: 500 },
    );
  });

  test("is read the same with and without colours", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...lines), { maxLength: 60 }), (some) => {
        const coloured = some.map((text) => `\u001b[31m${text}\u001b[0m`).join("\n");
        expect(parseFailures(coloured, 1)).toEqual(parseFailures(some.join("\n"), 1));
      }),
    );
  });
});
