import { expect, test } from "bun:test";
import {
  assertGoalIsWhole,
  createScope,
  parseScope,
  taskScopeReport,
} from "../../../../src/repo/analysis/scope.ts";

const FILES = ["main.go", "web", "web/src", "src", "src/app.ts", "a,b.txt"];
const base = (prefix = "") => ({
  root: "/home/ann/repo",
  prefix,
  exists: (path: string) => FILES.includes(path),
});
const task = (scope: readonly string[]) => ({
  goal: "g",
  scope,
  startedAt: "2026-12-02T10:00:00.000Z",
});

test.each([
  [[], ["."]],
  [["."], ["."]],
  [["./"], ["."]],
  [["internal/auth"], ["internal/auth"]],
  [["a/", "a", "./a", "b/../a"], ["a"]],
  [
    ["a, b ,", " c"],
    ["a", "b", "c"],
  ],
  [["a,b.txt"], ["a,b.txt"]],
  [["/home/ann/repo/web/src/"], ["web/src"]],
  [["/home/ann/repo"], ["."]],
  [
    ["**/*.test.ts", "!web/gen"],
    ["**/*.test.ts", "!web/gen"],
  ],
])("the scope %j is read as %j", (words, entries) => {
  expect(parseScope(words, base())).toEqual(entries);
});

test.each([
  ["web", ["src"], ["web/src"]],
  ["web", ["main.go"], ["main.go"]],
  ["web", ["src/*.ts"], ["web/src/*.ts"]],
  ["web", ["not-yet.ts"], ["web/not-yet.ts"]],
  ["web", ["../src/app.ts"], ["src/app.ts"]],
  ["web", ["."], ["web"]],
  ["web", [".."], ["."]],
  ["web", ["*.ts", "!gen*/"], ["web/**/*.ts", "!web/**/gen*/"]],
])("from %s the scope %j means %j", (prefix, words, entries) => {
  expect(parseScope(words, base(prefix))).toEqual(entries);
});

test.each([[[""]], [[" , ", "\t"]]])("a scope of blanks, %j, is refused", (words) => {
  expect(() => parseScope(words, base())).toThrow(
    expect.objectContaining({ code: "scope_empty", exitCode: 2 }),
  );
});

test.each(["../x", "/etc/passwd", "/home/ann/repository", "a/../../x", "!../x", ".."])(
  "the scope %s leads out of the repository and is refused",
  (word) => {
    expect(() => parseScope([word], base())).toThrow(
      expect.objectContaining({ code: "scope_outside", exitCode: 2 }),
    );
  },
);

test("a goal whose quotes were forgotten is refused, with the command as it was meant (repo U5)", () => {
  expect(() => assertGoalIsWhole("fix", ["the", "bug"], base())).toThrow(
    expect.objectContaining({
      code: "task_goal_unquoted",
      exitCode: 2,
      hints: [expect.stringContaining('task start "fix the bug"'), expect.stringContaining("the/")],
    }),
  );
});

test.each([
  ["fix", [], ""],
  ["fix the bug", ["auth"], ""],
  ["fix", ["web"], ""],
  ["fix", ["the", "src"], "web"],
  ["fix", ["new/"], ""],
  ["fix", ["*.ts"], ""],
  ["fix", ["."], ""],
])("the goal %j with the scope %j from %j is taken", (goal, words, prefix) => {
  expect(() => assertGoalIsWhole(goal, words, base(prefix))).not.toThrow();
});

test("a task without scope drifts nowhere (repo C1, oracle D12)", () => {
  const report = taskScopeReport(task(parseScope([], base())), ["z.ts", "a/b.go"]);
  expect(report).toEqual({
    goal: "g",
    scope_paths: ["."],
    started_at: "2026-12-02T10:00:00.000Z",
    in_scope_changed: ["a/b.go", "z.ts"],
    out_of_scope_changed: [],
    has_scope_drift: false,
  });
});

test("files outside of the scope are drift (oracle 42)", () => {
  expect(taskScopeReport(task(["main.go"]), ["main.go", "config.yaml"])).toMatchObject({
    in_scope_changed: ["main.go"],
    out_of_scope_changed: ["config.yaml"],
    has_scope_drift: true,
  });
});

test("without a task the report is empty lists", () => {
  expect(taskScopeReport(undefined, ["a"])).toEqual({
    goal: "",
    scope_paths: [],
    started_at: "",
    in_scope_changed: [],
    out_of_scope_changed: [],
    has_scope_drift: false,
  });
});

test.each([
  [["a"], ["a", "a/b/c"], ["ab", "x/a", "A"]],
  [["main.go"], ["main.go"], ["cmd/main.go"]],
  [["*.test.ts"], ["x.test.ts", "a/b/x.test.ts"], ["x.ts"]],
  [["src/*.ts"], ["src/a.ts"], ["src/b/a.ts", "web/src/a.ts"]],
  [["src/**/*.ts"], ["src/a.ts", "src/b/c/a.ts"], ["src/a.js"]],
  [["src/*"], ["src/b/deep.ts"], ["a"]],
  [["app/[id]"], ["app/[id]/page.tsx", "app/i"], ["app/x"]],
  [["src", "!src/gen", "!*.snap"], ["src/a.ts"], ["src/gen/a.ts", "src/x.snap", "b"]],
  [["!dist"], ["src/a.ts"], ["dist/a.js"]],
  [["#notes/*"], ["#notes/a"], ["a"]],
  [["caf*"], ["caf\u00e9.txt"], ['"caf\\351.txt"']],
])("the scope %j holds %j and not %j", (entries, inside, outside) => {
  const isInScope = createScope(entries);
  expect(inside.filter((path) => !isInScope(path))).toEqual([]);
  expect(outside.filter(isInScope)).toEqual([]);
});

test("paths that no tree should have are asked for without harm", () => {
  const isInScope = createScope(["*.ts", "[z-a]*", "[", "\\\\"]);
  expect(["../x.ts", "/x.ts", "./x.ts", "-x.ts", "a\nb.ts"].map(isInScope)).toHaveLength(5);
});
