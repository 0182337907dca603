import { describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { defaultScript } from "../../../../src/workflow/authoring/default-script.ts";
import { PACKS, packOf } from "../../../../src/workflow/authoring/packs/catalogue.ts";
import {
  TEMPLATES,
  templateScript,
} from "../../../../src/workflow/authoring/templates/catalogue.ts";
import { TOOLS } from "../../../../src/workflow/authoring/tools-catalogue.ts";
import { validateScript } from "../../../../src/workflow/script/validate.ts";

async function warningsOf(source: string): Promise<readonly string[]> {
  const report = await validateScript(source, "flow.js");
  expect(report.error).toBeUndefined();
  return (report.warnings ?? []).map((warning) => warning.replace(" at flow.js:", " @"));
}

/** Each script with the beginning of its only warning and the place of that. */
function eachWarns(cases: readonly (readonly [script: string, begins: string, place: string])[]) {
  for (const [script, begins, place] of cases) {
    test(script, async () => {
      const [warning, ...more] = await warningsOf(script);
      expect(more).toEqual([]);
      expect(warning).toStartWith(begins);
      expect(warning).toEndWith(` @${place}`);
    });
  }
}

function noneWarns(scripts: readonly string[]) {
  for (const script of scripts) {
    test(`none in ${script}`, async () => expect(await warningsOf(script)).toEqual([]));
  }
}

describe("promises that nothing waits for (oracle 80)", () => {
  eachWarns([
    ['agent("a")', "nothing awaits agent(): the script may end before it does", "1:1"],
    ['agent("a").then((text) => log(text))', "nothing awaits agent()", "1:1"],
    ['log(1)\n  check("a").catch(() => log(2))', "nothing awaits check()", "2:3"],
    ['args && gate("a")', "nothing awaits gate()", "1:9"],
    ['args ? workflow("a") : log(1)', "nothing awaits workflow()", "1:8"],
    ['for (const a of [1]) verify.untilGreen("a")', "nothing awaits verify.untilGreen()", "1:22"],
    ["pallium?.task.clear(); log(1)", "nothing awaits pallium.task.clear()", "1:1"],
    ['await parallel([1], (a) => { agent("a" + a); })', "nothing awaits agent()", "1:30"],
    ['parallel([1], (a) => agent("a" + a))', "nothing awaits parallel()", "1:1"],
    ['Promise.all([agent("a"), check("b")])', "nothing awaits Promise.all()", "1:1"],
    ['phase("a", async () => { await agent("a") })', "nothing awaits phase()", "1:1"],
    ['async function f() { await agent("a") }\nf();', "nothing awaits f()", "2:1"],
    ['const f = async () => { await agent("a") }; if (args) f()', "nothing awaits f()", "1:55"],
    [
      'const kept = agent("a"); log(1)',
      "nothing awaits agent(): its promise is kept as kept",
      "1:7",
    ],
    ['[1].forEach((a) => agent("a" + a))', "forEach does not wait for agent()", "1:5"],
    [
      '[1].forEach(async (a) => { await agent("a") })',
      "forEach does not wait for its callback",
      "1:5",
    ],
    ['[1].map((a) => agent("a"))', "nothing awaits agent(): map makes a list of promises", "1:5"],
    [
      'await [1].map(async (a) => { await agent("a") })',
      "nothing awaits its callback: map",
      "1:11",
    ],
  ]);

  noneWarns([
    'await agent("a"); return agent("b")',
    'await agent("a").then((text) => log(text)).catch(() => null); await check("b").catch(log)',
    'const a = agent("a"), b = check("b"); await Promise.all([a, b])',
    'const work = []; work.push(agent("a")); await Promise.all(work)',
    'const work = [1, 2].map((a) => agent("a" + a)); await Promise.all(work)',
    'await Promise.all([1].map(async (a) => { await agent("a" + a) }))',
    'await pipeline([1], (a) => agent("a" + a), async (b) => { await check(b); return b })',
    'void agent("a"); const o = { a: agent("b") }; return await o.a',
    'let last; for (const a of [1]) last = agent("a" + a); return last',
    'const ask = (a) => agent(a); return await ask("a")',
    'function agent() {} agent(); const o = { check() {} }; o.check("a")',
    'const { agent: ask } = { agent: log }; ask("a"); log("x").then?.(1)',
    'phase("a"); phase("b", () => log(1)); await phase("c", () => agent("a")); log("a")',
    "fetchAll().then(log); function fetchAll() { return { then(f) { f(1) } } }",
    'const text = await agent("a"); text.split("\\n").forEach((line) => log(line))',
    "async function f() { await null } export_(f); function export_(g) { return g } await f()",
    "new Promise((done) => done(1)).then(log)",
  ]);
});

describe("promises that are taken for values", () => {
  eachWarns([
    [
      'return agent("a").findings',
      "agent() answers with a promise; await it before you read .findings of it",
      "1:8",
    ],
    [
      'return (await agent("a")) + check("b").ok',
      "check() answers with a promise; await it before you read .ok",
      "1:29",
    ],
    ['const r = agent("a")\nreturn r.findings', "r, from agent(), answers with a promise", "2:8"],
    [
      'const { ok } = check("a"); return ok',
      "check() answers with a promise; await it before you take it apart",
      "1:16",
    ],
    [
      'if (gate("a")) log(1)',
      "gate() answers with a promise; await it before you decide by it",
      "1:5",
    ],
    [
      'return "x" + agent("a")',
      "agent() answers with a promise; await it before you compute with it",
      "1:14",
    ],
    [
      `return \`x \${agent("a")}\``,
      "agent() answers with a promise; await it before you put it into text",
      "1:13",
    ],
    [
      "for (const a of parallel([1], (a) => a)) log(a)",
      "parallel() answers with a promise",
      "1:17",
    ],
    [
      "return [...pipeline([1], (a) => a)]",
      "pipeline() answers with a promise; await it before you spread it",
      "1:12",
    ],
    [
      "return parallel([1], (a) => a)[0]",
      "parallel() answers with a promise; await it before you read [0]",
      "1:8",
    ],
  ]);

  noneWarns([
    'const r = agent("a"); return r.then((text) => text.length)',
    'let r = agent("a"); r = await r; return r.length',
    'const p = args ? agent("a") : null; return p === null ? 1 : await p',
    'for await (const a of [agent("a")]) log(a)',
  ]);
});

describe("options and functions that are not there", () => {
  eachWarns([
    ['return agent("a", { lable: "x" })', "agent has no option lable; did you mean label?", "1:21"],
    [
      'return agent("a", { timeout: 1 })',
      "agent has no option timeout; did you mean timeout_seconds?",
      "1:21",
    ],
    ['return check("a", { "zork": 1 })', "check has no option zork", "1:21"],
    [
      'return gate("a", { critera: "x" })',
      "gate has no option critera; did you mean criteria?",
      "1:20",
    ],
    ['return gate("a", "b", { critera: "x" })', "gate has no option critera", "1:25"],
    [
      'return verify.untilGreen("a", { rounds: 1 })',
      "verify.untilGreen has no option rounds",
      "1:33",
    ],
    [
      'return pallium.review("main", { stagd: true })',
      "pallium.review has no option stagd; did you mean staged?",
      "1:33",
    ],
    ['const o = { lable: "x" };\nreturn agent("a", o)', "agent has no option lable", "1:13"],
    [
      'const o = { lable: "x" };\nreturn agent("a", { mode: "edit", ...o })',
      "agent has no option lable",
      "1:13",
    ],
    ['return verify.untilGren("a")', "verify has no untilGren; did you mean untilGreen?", "1:15"],
    [
      'return pallium.task.begin("a")',
      "pallium.task has no begin; it has start, show, clear",
      "1:21",
    ],
    ["return budget.left()", "budget has no left; it has total, spent, remaining", "1:15"],
  ]);

  noneWarns([
    'return agent("a", { timeoutSeconds: 1, timeout_seconds: 1, TIMEOUTSECONDS: 1, agentType: "x" })',
    'return agent("a", { [args]: 1, ...args }); ',
    "return agent(...args, { lable: 1 })",
    'let o = { lable: 1 }; o = args; return agent("a", o)',
    'return workflow("a", { anything: 1 })',
    'return pallium.decisions.record("a", "b", "c")',
    'return parallel([{ lable: 1 }], (a) => agent("a", a))',
    'const verify = { zork() {} }; verify.zork(); return budget["left"]',
  ]);
});

describe("phases", () => {
  const declares = (phases: string, body: string) =>
    `export const meta = { name: "x", phases: [${phases}] };\n${body}`;

  eachWarns([
    [
      declares('"scan", "report"', 'phase("scan"); log(1)'),
      'meta declares the phase "report", which is never entered',
      "1:34",
    ],
    [
      declares('"inspect"', 'phase("inspct"); log(1)'),
      'meta declares the phase "inspect", which is never entered; did you mean "inspct"?',
      "1:34",
    ],
    [declares('{ title: "scan" }', "log(1)"), 'meta declares the phase "scan"', "1:34"],
  ]);

  test("one that is entered only in what never runs", async () => {
    const warnings = await warningsOf(declares('"a", "b"', 'phase("a");\nreturn 1;\nphase("b");'));
    expect(warnings).toEqual([
      'meta declares the phase "b", which is never entered @1:34',
      "this never runs: it stands behind a return @4:1",
    ]);
  });

  noneWarns([
    declares('"scan", "report"', 'phase("scan"); phase(`report`, () => log(1))'),
    declares(
      '"scan", "report"',
      'const R = "report"; phase("scan"); return agent("a", { phase: R })',
    ),
    declares('"scan", "report"', 'for (const name of ["scan", "report"]) phase(name)'),
    declares('"scan"', 'return agent("a", args)'),
    declares('"scan"', 'phase("scan"); phase("another")'),
    'phase("a"); log(1)',
  ]);
});

describe("statements that never run", () => {
  eachWarns([
    ["return 1; log(2); log(3)", "this never runs: it stands behind a return", "1:11"],
    ["if (args) { throw 1; log(2) }", "this never runs: it stands behind a throw", "1:22"],
    [
      "for (const a of args) { continue; log(a) }",
      "this never runs: it stands behind a continue",
      "1:35",
    ],
    [
      "while (true) { log(1) }\nlog(2)",
      "this never runs: it stands behind a loop that never ends",
      "2:1",
    ],
    [
      "if (args) { return 1 } else { throw 2 }\nconst a = 1; log(a)",
      "this never runs: it stands behind what always",
      "2:1",
    ],
    ["try { return 1 } catch { return 2 }\nlog(3)", "this never runs", "2:1"],
    ["return 1; { return 2; log(3) }", "this never runs: it stands behind a return", "1:11"],
  ]);

  noneWarns([
    "return later(); function later() { return 1 }",
    "if (args) return 1; log(2)",
    "while (true) { if (args) break; log(1) } log(2)",
    "out: while (true) { for (;;) { break out } } log(2)",
    "try { return 1 } catch { log(2) } log(3)",
    "switch (args) { case 1: return 1; default: log(2) } log(3)",
    "for (;;) { try { if (args) break } finally { log(1) } } log(2)",
    "do { log(1) } while (true)",
    "{ return x; var x }",
  ]);
});

describe("our own scripts have none", () => {
  const wish = { task: 'a "task"', testCommand: "", maxRounds: 3 };
  const scripts = [
    ...TEMPLATES.map((template) => [template.name, templateScript(template, wish)] as const),
    ...PACKS.map(({ name }) => [name, packOf(name).script] as const),
    ["default", defaultScript("task")] as const,
    ...TOOLS.map(({ name, example }) => [`example of ${name}`, example] as const),
  ];
  for (const [name, script] of scripts) {
    test(name, async () => expect(await warningsOf(script)).toEqual([]));
  }

  test("those of the documents", async () => {
    const root = join(import.meta.dir, "../../../..");
    for (const file of ["README.md", "PALLIUM_WORKFLOW.md"]) {
      const text = await readFile(join(root, file), "utf8");
      const blocks = [...text.matchAll(/```js\n(.*?)```/gs)].map(([, block = ""]) => block);
      expect(blocks.length).toBeGreaterThan(0);
      for (const block of blocks) expect(await warningsOf(block)).toEqual([]);
    }
  });
});

test("a flood of one kind leaves room for the others", async () => {
  const source = `${'agent("a");\n'.repeat(200)}return 1;\nlog(2)`;
  const warnings = await warningsOf(source);
  expect(warnings).toHaveLength(52);
  expect(warnings[50]).toBe("150 more warnings of this kind are not shown @51:1");
  expect(warnings[51]).toStartWith("this never runs");
});
