import { describe, expect, test } from "bun:test";
import { PalliumError } from "../../../../src/lib/errors.ts";
import type { Json } from "../../../../src/lib/json.ts";
import { repoCall } from "../../../../src/workflow/calls/repo-request.ts";
import type { RepoPrimitive } from "../../../../src/workflow/engine/protocol.ts";

type Row = readonly [RepoPrimitive, readonly Json[], readonly string[], object];

const ROWS: readonly Row[] = [
  ["pallium.verify", [], ["verify", "fast"], { tier: "fast", keep_going: false, dry_run: false }],
  [
    "pallium.verify",
    ["safe", { keepGoing: true, base: "main", timeout_seconds: 5 }],
    ["verify", "safe", "--base", "main", "--keep-going"],
    { tier: "safe", base: "main", timeout: 5, keep_going: true, dry_run: false },
  ],
  [
    "pallium.verify",
    [{ tier: "full", keep_going: true, dryRun: true, command: "make t" }],
    ["verify", "full", "--command", "make t", "--keep-going", "--dry-run"],
    { tier: "full", command: "make t", keep_going: true, dry_run: true },
  ],
  ["pallium.review", [], ["review"], { words: [], staged: false }],
  ["pallium.review", ["main"], ["review", "main"], { words: ["main"], staged: false }],
  ["pallium.handoff", [{ base: "v1" }], ["handoff", "v1"], { words: ["v1"] }],
  ["pallium.explain", ["src/a.ts"], ["explain", "src/a.ts"], { path: "src/a.ts" }],
  ["pallium.safe", ["a b.ts"], ["safe", "a b.ts"], { path: "a b.ts" }],
  ["pallium.plan", [""], ["plan"], { path: "" }],
  ["pallium.changedNow", [], ["changed-now"], {}],
  [
    "pallium.preflight",
    ["tighten auth", "src/auth", "", null, ["lib", "bin"]],
    [
      "workflow",
      "preflight",
      "tighten auth",
      "--scope",
      "src/auth",
      "--scope",
      "lib",
      "--scope",
      "bin",
    ],
    { task: "tighten auth", scope: ["src/auth", "lib", "bin"] },
  ],
  [
    "pallium.task.start",
    ["tighten auth", "src/auth", { expires: "30m" }],
    ["task", "start", "tighten auth", "src/auth", "--expires", "30m"],
    { goal: "tighten auth", scope: ["src/auth"], expires: "30m" },
  ],
  ["pallium.task.show", [], ["task", "show"], {}],
  ["pallium.task.clear", [{}], ["task", "clear"], {}],
];

test.each(ROWS)("%s%j asks what the command asks", (primitive, args, argv, input) => {
  const call = repoCall(primitive, args, 0);
  expect(call.argv).toEqual([...argv]);
  expect(call.question.input).toEqual(input);
});

test("a verification has the time of the run's calls where it names none", () => {
  expect(repoCall("pallium.verify", [], 90).question.input).toMatchObject({ timeout: 90 });
  const free = repoCall("pallium.verify", [{ timeoutSeconds: 0 }], 90);
  expect(free.question.input).not.toHaveProperty("timeout");
});

describe("refuses", () => {
  const BAD: readonly (readonly [RepoPrimitive, readonly Json[], string])[] = [
    ["pallium.verify", ["fast", { keepgong: true }], 'did you mean "keep_going"?'],
    ["pallium.review", [{ stagd: true }], 'did you mean "staged"?'],
    ["pallium.explain", ["a", { deep: true }], 'pallium.explain has no option "deep"'],
    ["pallium.explain", ["a", "b"], "pallium.explain takes 1 argument, not 2"],
    ["pallium.changedNow", ["."], "pallium.changedNow takes no arguments, not 1"],
    ["pallium.safe", [true], "invalid pallium.safe argument true: must be text"],
  ];
  test.each(BAD)("%s%j", (primitive, args, message) => {
    const attempt = () => repoCall(primitive, args, 0);
    expect(attempt).toThrow(PalliumError);
    expect(attempt).toThrow(message);
  });
});
