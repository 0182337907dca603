import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type CheckedCommand,
  checkResult,
  TAIL_LIMIT,
} from "../../../../src/workflow/calls/check-result.ts";

const FIXTURES = join(import.meta.dir, "../../../fixtures/test-output");

function checked(given: Partial<CheckedCommand>): CheckedCommand {
  return {
    command: "npm test",
    exitCode: 1,
    stdout: "",
    stderr: "",
    durationMs: 1234.5,
    timedOut: false,
    outputLimited: false,
    ...given,
  };
}

describe("verdict", () => {
  test("exit status 0 passes, whatever was printed", () => {
    const stdout = readFileSync(join(FIXTURES, "go-plain.txt"), "utf8");
    expect(checkResult(checked({ exitCode: 0, stdout: `${stdout}ok\n` }))).toMatchObject({
      ok: true,
      summary: "npm test passed in 1.2 s",
      failures: [],
      exit_code: 0,
      duration_ms: 1235,
    });
  });

  test("another exit status fails with the failures that were recognised", () => {
    const stdout = readFileSync(join(FIXTURES, "cargo-compile.txt"), "utf8");
    const result = checkResult(checked({ command: "cargo test", exitCode: 101, stdout }));
    expect(result).toMatchObject({ ok: false, exit_code: 101, command: "cargo test" });
    expect(result.summary).toBe("cargo test failed with exit code 101: 2 failures");
    expect(result.failures.map(({ name }) => name)).toEqual(["E0308", "E0425"]);
    expect(result).not.toHaveProperty("timed_out");
    expect(result).not.toHaveProperty("output_limited");
  });

  test("one failure is counted in the singular, the limit as at least so many", () => {
    const line = "a.ts(1,1): error TS1: bad\n";
    expect(checkResult(checked({ stdout: line })).summary).toEndWith(": 1 failure");
    const many = Array.from({ length: 300 }, (_, index) => line.replace("(1", `(${index + 1}`));
    expect(checkResult(checked({ stdout: many.join("") })).summary).toEndWith(
      ": 200 or more failures",
    );
  });

  test("a command that timed out fails even if it then ended with 0", () => {
    const result = checkResult(checked({ exitCode: 0, timedOut: true, durationMs: 5000 }));
    expect(result).toMatchObject({ ok: false, timed_out: true, exit_code: 0 });
    expect(result.summary).toBe("npm test timed out after 5.0 s");
    expect(result.failures).toEqual([
      { name: "npm test", message: "npm test timed out after 5.0 s" },
    ]);
  });

  test("a command that wrote too much, or never got an exit code, fails", () => {
    const limited = checkResult(checked({ exitCode: 137, outputLimited: true }));
    expect(limited).toMatchObject({ ok: false, output_limited: true });
    expect(limited.summary).toContain("output limit");
    const lost = checkResult(checked({ exitCode: null }));
    expect(lost).toMatchObject({ ok: false, exit_code: null });
    expect(lost.summary).toBe("npm test ended without an exit code");
  });
});

describe("unrecognised output", () => {
  test("becomes one failure with the end of the output", () => {
    const result = checkResult(
      checked({ command: "make\n  all", exitCode: 2, stderr: "no rule\n" }),
    );
    expect(result.summary).toBe("make all failed with exit code 2");
    expect(result.failures).toEqual([{ name: "make all", message: "no rule" }]);
  });

  test("of a blank command is named command", () => {
    expect(checkResult(checked({ command: " " })).failures[0]?.name).toBe("command");
  });
});

describe("output tail", () => {
  test("stdout stands before stderr, each on its own lines, without colours", () => {
    const result = checkResult(checked({ stdout: "\u001b[31mout\u001b[0m", stderr: "err\n" }));
    expect(result.output_tail).toBe("out\nerr\n");
  });

  test("is cut at the start of a line with a mark", () => {
    const lines = Array.from({ length: 1000 }, (_, index) => `line ${index}`);
    const { output_tail: tail } = checkResult(checked({ stdout: lines.join("\n") }));
    expect(tail.length).toBeLessThanOrEqual(TAIL_LIMIT);
    expect(tail.length).toBeGreaterThan(TAIL_LIMIT - 100);
    const [mark, first, ...others] = tail.split("\n");
    expect(mark).toMatch(/^\[… \d+ characters cut …\]$/);
    expect(first).toMatch(/^line \d+$/);
    expect(others.at(-1)).toBe("line 999");
  });

  test("one line longer than the limit keeps its end", () => {
    const { output_tail: tail } = checkResult(checked({ stdout: `${"x".repeat(10_000)}end` }));
    expect(tail.length).toBeLessThanOrEqual(TAIL_LIMIT);
    expect(tail).toEndWith("xend");
  });
});
