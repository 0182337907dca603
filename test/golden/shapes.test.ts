/** Whoever reads our JSON as the Go program's finds every field where it was, of the type it was. */
import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { outputs } from "../../src/operations/schemas.ts";
import type { OperationName } from "../../src/operations/table.ts";
import { cliHome } from "../support/cli.ts";
import { editHome } from "../support/edit-runs.ts";
import { provider } from "../support/workflow.ts";
import golden from "./go-0.9.17.json";
import { missing, type Step } from "./shapes.ts";

const SCRIPT = `phase("inspect");
const schema = { type: "object", properties: { approved: { type: "boolean" }, reason: { type: "string" }, evidence: { type: "array", items: { type: "string" } } }, required: ["approved"] };
const a = await parallel(["one", "two"], (x) => agent("look at " + x, { label: x, mode: "read-only", schema }));
phase("sum up");
const b = await agent("sum up", { label: "sum" });
return { findings: ["f1"], count: a.length };
`;

/** In this order: later steps read what earlier ones recorded. */
const ENGINE_STEPS: readonly (readonly [string, readonly string[]])[] = [
  ["tools-list", ["workflow", "tools", "list"]],
  ["validate", ["workflow", "validate", "first.js"]],
  ["run", ["workflow", "run", "--id", "wf-first", "--script", "first.js", "first"]],
  ["list", ["workflow", "list"]],
  ["status", ["workflow", "status", "wf-first"]],
  ["inspect", ["workflow", "inspect", "wf-first"]],
  ["show", ["workflow", "show", "wf-first"]],
  ["read", ["workflow", "read", "wf-first"]],
  ["resume", ["workflow", "resume", "wf-first"]],
];

test("the engine's documents hold every path of the Go program's", async () => {
  await using home = await cliHome();
  await writeFile(join(home.directory, "first.js"), SCRIPT);
  const env = { PALLIUM_WORKFLOW_AGENT_STUB: '{"approved":true,"reason":"fine","evidence":["e"]}' };
  for (const [name, args] of ENGINE_STEPS) {
    const step = (golden as Record<string, Step>)[`engine/${name}`];
    const { stdout, exitCode } = await home.pallium([...args, "--json"], { env });
    expect({ name, exitCode }).toEqual({ name, exitCode: step?.exit ?? 0 });
    expect({ name, missing: missing(step?.shape ?? {}, JSON.parse(stdout)) }).toEqual({ name, missing: [] });
  }
});

const EDIT_SCRIPT = `const r = await agent("append a line", { label: "edit", mode: "edit", provider: "editor" });
const c = await check("exit 3", { label: "failing", provider: "checker" });
return { done: true, ok: c.ok };
`;

/** A run that edits and fails a check, taken back and applied again; then one that edits nothing. */
const EDIT_STEPS: readonly (readonly [string, readonly string[]])[] = [
  ["edit-run", ["workflow", "run", "--id", "wf-edit", "--script", "edit.js", "edit"]],
  ["edit-inspect", ["workflow", "inspect", "wf-edit"]],
  ["edit-report", ["workflow", "report", "wf-edit"]],
  ["edit-revert", ["workflow", "revert", "wf-edit"]],
  ["edit-apply", ["workflow", "apply", "wf-edit"]],
  ["run-none", ["workflow", "run", "--id", "wf-none", "--script", "none.js", "none"]],
  ["apply", ["workflow", "apply", "wf-none"]],
  ["revert", ["workflow", "revert", "wf-none"]],
  ["gc", ["workflow", "gc", "--dry-run"]],
];

test("the documents of edits hold every path of the Go program's", async () => {
  await using edits = await editHome({ "main.go": "package main\n" });
  await edits.repo.write({ "edit.js": EDIT_SCRIPT, "none.js": "return 1;" });
  const env = {
    ...provider("editor", `echo "package main" > extra.go; echo "added extra.go"`),
    ...provider("checker", `echo '{"ok":false,"command":"exit 3","summary":"failed","output_tail":"no","failures":[{"name":"n","message":"m","file":"f"}]}'`),
  };
  for (const [name, args] of EDIT_STEPS) {
    const step = (golden as Record<string, Step>)[`workflow/${name}`];
    const { stdout, exitCode } = await edits.home.pallium([...args, "--json"], {
      env,
      cwd: edits.repo.path,
    });
    expect({ name, exitCode }).toEqual({ name, exitCode: step?.exit ?? 0 });
    expect({ name, missing: missing(step?.shape ?? {}, JSON.parse(stdout)) }).toEqual({ name, missing: [] });
  }
});

const AUTHORING_STEPS: readonly (readonly [string, readonly string[]])[] = [
  ["template-list", ["workflow", "template", "list"]],
  ["template-show", ["workflow", "template", "show", "test-fix"]],
  ["library-list", ["workflow", "library", "list"]],
  ["library-show", ["workflow", "library", "show", "security-audit"]],
  ["library-install", ["workflow", "library", "install", "security-audit", "--cwd", "."]],
  ["generate", ["workflow", "generate", "fix tests", "--style", "test-fix", "--test-command", "go test ./...", "--output", "fix.workflow.js"]],
  ["save", ["workflow", "save", "wf-shape", "--name", "shape"]],
];

test("the documents of those who write workflows hold every path of the Go program's", async () => {
  await using home = await cliHome();
  await writeFile(join(home.directory, "one.js"), "return 1;");
  await home.pallium(["workflow", "run", "--id", "wf-shape", "--script", "one.js"]);
  for (const [name, args] of AUTHORING_STEPS) {
    const step = (golden as Record<string, Step>)[`workflow/${name}`];
    const { stdout, exitCode } = await home.pallium([...args, "--json"]);
    expect({ name, exitCode }).toEqual({ name, exitCode: step?.exit ?? 0 });
    const document = JSON.parse(stdout);
    expect({ name, missing: missing(step?.shape ?? {}, document) }).toEqual({ name, missing: [] });
    const { error } = outputs[`workflow.${name.replace(/^(template|library)-/, "$1.")}` as OperationName].safeParse(document);
    expect({ name, issues: error?.issues ?? [] }).toEqual({ name, issues: [] });
  }
});

test("the list of gates holds every path of the Go program's", async () => {
  await using home = await cliHome();
  const script = 'await gate("ready", "Is it ready?", { criteria: "always" });';
  await writeFile(join(home.directory, "gate.js"), script);
  const env = { PALLIUM_WORKFLOW_AGENT_STUB: '{"approved":true,"reason":"fine","evidence":["e"]}' };
  await home.pallium(["workflow", "run", "--id", "wf-gate", "--script", "gate.js"], { env });
  const { stdout } = await home.pallium(["workflow", "gate", "list", "wf-gate", "--json"]);
  const step = (golden as Record<string, Step>)["workflow/gate-list"];
  expect(missing(step?.shape ?? {}, JSON.parse(stdout))).toEqual([]);
});

const REPORT_SCRIPT = `phase("inspect");
await parallel(["one", "two"], (x) => agent("look at " + x, { label: x, mode: "read-only" }));
await agent("look", { provider: "editor", mode: "edit" });
await check("true", { provider: "checker" });
return { findings: ["f1"], risks: ["r1"], next_steps: ["n1"] };
`;

const REPORT_STEPS: readonly (readonly [string, readonly string[]])[] = [
  ["report", ["workflow", "report", "wf-report"]],
  ["fleet", ["workflow", "fleet", "status"]],
  ["analytics", ["workflow", "analytics"]],
];

test("the reports on runs hold every path of the Go program's", async () => {
  await using edits = await editHome();
  await edits.repo.write({ "report.js": REPORT_SCRIPT });
  const stub = '{"ok":true,"command":"true","summary":"fine","output_tail":"","failures":[]}';
  const options = { env: { PALLIUM_WORKFLOW_AGENT_STUB: stub }, cwd: edits.repo.path };
  await edits.home.pallium(["workflow", "run", "--id", "wf-report", "--script", "report.js"], options);
  for (const [name, args] of REPORT_STEPS) {
    const step = (golden as Record<string, Step>)[`workflow/${name}`];
    const { stdout, exitCode } = await edits.home.pallium([...args, "--json"], options);
    expect({ name, exitCode }).toEqual({ name, exitCode: step?.exit ?? 0 });
    expect({ name, missing: missing(step?.shape ?? {}, JSON.parse(stdout)) }).toEqual({ name, missing: [] });
  }
});

const TRIGGER_STEPS: readonly (readonly [string, readonly string[]])[] = [
  ["trigger-add", ["workflow", "trigger", "add", "daily", "look", "--workflow", "shape", "--cwd", "."]],
  ["trigger-list", ["workflow", "trigger", "list"]],
  ["trigger-show", ["workflow", "trigger", "show", "daily"]],
  ["trigger-run", ["workflow", "trigger", "run", "daily"]],
  ["trigger-watch", ["workflow", "trigger", "watch", "--once"]],
];

test("the documents of triggers hold every path of the Go program's", async () => {
  await using edits = await editHome({ ".pallium/workflows/shape.js": SCRIPT });
  const env = { PALLIUM_WORKFLOW_AGENT_STUB: '{"approved":true,"reason":"fine","evidence":["e"]}' };
  for (const [name, args] of TRIGGER_STEPS) {
    const step = (golden as Record<string, Step>)[`workflow/${name}`];
    const { stdout, exitCode } = await edits.home.pallium([...args, "--json"], {
      env,
      cwd: edits.repo.path,
    });
    expect({ name, exitCode }).toEqual({ name, exitCode: step?.exit ?? 0 });
    expect({ name, missing: missing(step?.shape ?? {}, JSON.parse(stdout)) }).toEqual({ name, missing: [] });
  }
});

test("the comparison finds what is missing or of another type", () => {
  expect(missing({ "$.a": ["string"], "$.b[].c": ["number", "null"] }, { a: 1, b: [] })).toEqual([
    "$.a wants string, has number",
    "$.b[].c wants number, has nothing",
  ]);
});
