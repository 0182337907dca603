import { describe, expect, test } from "bun:test";
import type { ProcessEnd } from "../../../src/providers/contract.ts";
import { classifyText, processFailure } from "../../../src/providers/failures.ts";

const EXITED: ProcessEnd = {
  exitCode: 9,
  timedOut: false,
  outputLimited: false,
  cancelled: false,
};

function failure(changes: Partial<ProcessEnd>, stderr: string, stdout = "", reason?: string) {
  return processFailure({
    who: 'workflow provider "fail"',
    end: { ...EXITED, ...changes },
    timeoutSeconds: 5,
    stderr,
    reason,
    lines: [...stdout.split("\n"), ...stderr.split("\n")],
    output: stdout,
  });
}

describe("processFailure", () => {
  test("names the exit status and stderr", () => {
    expect(failure({}, "boom\n")).toEqual({
      ok: false,
      outcome: "failed",
      message: 'workflow provider "fail" failed: exit status 9: boom',
    });
  });

  test("says that there was no stderr, without a trailing colon", () => {
    expect(failure({ exitCode: 1 }, " \n").message).toBe(
      'workflow provider "fail" failed: exit status 1 (no stderr output captured)',
    );
  });

  test("puts the first telling line in front, stdout before stderr", () => {
    const stdout = "working\n  ERROR: You've hit your usage limit. Try again at 5pm.\nunauthorized";
    expect(failure({ exitCode: 1 }, "error: later", stdout)).toEqual({
      ok: false,
      outcome: "quota",
      message:
        "ERROR: You've hit your usage limit. Try again at 5pm.: " +
        'workflow provider "fail" failed: exit status 1: error: later',
      output: stdout,
    });
  });

  test("prefers the provider's own reason, its first line", () => {
    const { message } = failure({ exitCode: 1 }, "", "error: noise", "model is gone\nmore");
    expect(message).toStartWith('model is gone: workflow provider "fail" failed: exit status 1');
  });

  test("a timeout keeps the text and says after how long", () => {
    expect(failure({ exitCode: 143, timedOut: true }, "still busy")).toEqual({
      ok: false,
      outcome: "timeout",
      message:
        "workflow agent timed out after 5s: " +
        'workflow provider "fail" failed: exit status 143 (SIGTERM): still busy',
    });
  });

  test.each([
    [{ cancelled: true, exitCode: 143 }, "cancelled", undefined],
    [{ outputLimited: true, exitCode: 137 }, "failed", "output_limit"],
    [{ exitCode: 137 }, "killed", undefined],
    [{ exitCode: null }, "killed", undefined],
    [{ exitCode: 139 }, "failed", undefined],
  ] as const)("%j is %s", (end, outcome, code) => {
    const result = failure(end, "");
    expect(result.outcome).toBe(outcome);
    expect(result.code).toBe(code as "output_limit");
  });

  test("an end of ours beats what the worker wrote about quota", () => {
    expect(failure({ cancelled: true }, "quota exceeded").outcome).toBe("cancelled");
  });

  test("a line that only says Killed is not put in front", () => {
    expect(failure({ exitCode: 137 }, "Killed").message).toStartWith("workflow provider");
  });
});

test.each([
  ["You've hit your usage limit. Upgrade to Pro", "quota", undefined],
  ["You’ve hit your limit · resets 3pm", "quota", undefined],
  ["5-hour limit reached", "quota", undefined],
  ["Rate limit reached for m on tokens per min. Please try again in 7s.", "failed", true],
  ["insufficient_quota", "quota", undefined],
  ["Your credit balance is too low", "quota", undefined],
  ["error: Disk quota exceeded", "failed", undefined],
  ["Rate Limit exceeded, slow down", "failed", true],
  ["exceeded retry limit, last status: 429 Too Many Requests", "failed", true],
  ["API Error: 529 Overloaded", "failed", true],
  ["unexpected status 401 Unauthorized", "permission_denied", undefined],
  ["Invalid API key · Fix external API key", "permission_denied", undefined],
  ["prompt flagged as violating our usage policy", "refused", undefined],
  ["error: no such file", "failed", undefined],
])("classifyText(%p) is %s", (text, outcome, transient) => {
  const found = classifyText(text);
  expect(found.outcome).toBe(outcome as "failed");
  expect(found.transient).toBe(transient as true);
});

test.each(["429", "503", "529"])("status %s alone says that the provider is busy", (status) => {
  const busy = { outcome: "failed", transient: true } as const;
  expect(classifyText(`API answered ${status}`)).toEqual(busy);
  expect(classifyText(`API answered 1${status}`)).toEqual({ outcome: "failed" });
});
