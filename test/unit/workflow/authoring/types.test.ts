/** What authors write is checked by the real compiler against the types that we give them. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { defaultScript } from "../../../../src/workflow/authoring/default-script.ts";
import { PACKS, packOf } from "../../../../src/workflow/authoring/packs/catalogue.ts";
import {
  TEMPLATES,
  templateScript,
} from "../../../../src/workflow/authoring/templates/catalogue.ts";
import { TOOLS } from "../../../../src/workflow/authoring/tools-catalogue.ts";
import { scriptTypes } from "../../../../src/workflow/authoring/types/script-types.ts";
import { HOST_PRIMITIVES } from "../../../../src/workflow/engine/protocol.ts";
import { prepareScript } from "../../../../src/workflow/script/prepare.ts";
import { EXAMPLES } from "../../../support/examples.ts";
import { type TempDir, tempDir } from "../../../support/temp.ts";

const ROOT = resolve(import.meta.dir, "../../../..");

async function ownScripts(): Promise<readonly (readonly [string, string])[]> {
  const wish = { task: "task", testCommand: "", maxRounds: 3 };
  const files = (await readdir(EXAMPLES)).filter((file) => file.endsWith(".js"));
  return [
    ...TEMPLATES.map((template) => [template.name, templateScript(template, wish)] as const),
    ...PACKS.map(({ name }) => [name, packOf(name).script] as const),
    ["default", defaultScript("task")],
    ...TOOLS.map(({ name, example }) => [`example-of-${name}`, example] as const),
    ...(await Promise.all(
      files.map(async (file) => [file, await readFile(join(EXAMPLES, file), "utf8")] as const),
    )),
  ];
}

/** Scripts that are wrong, with what the compiler is to say of them. */
const WRONG: readonly (readonly [script: string, complaint: string])[] = [
  ["return agent()", "Expected 1-2 arguments"],
  ["return agent({})", "not assignable to parameter of type"],
  ['return agent("a", { lable: "x" })', "'lable' does not exist in type 'AgentOptions"],
  ['return agent("a", { label: 1 })', "Type 'number' is not assignable to type 'string'"],
  [
    'return agent("a", { timeoutSeconds: "1" })',
    "Type 'string' is not assignable to type 'number'",
  ],
  ['return agent("a").findings', "Property 'findings' does not exist on type 'Promise"],
  ['return (await check("a")).passed', "Property 'passed' does not exist on type 'CheckResult'"],
  ['return check("a", { mode: "edit" })', "'mode' does not exist in type 'CheckOptions"],
  ['return verify.untilGreen("a", { rounds: 1 })', "'rounds' does not exist in type"],
  ['return verify.untilGren("a")', "Property 'untilGren' does not exist"],
  ['return gate("a", { critera: "x" })', "No overload matches this call"],
  [
    'return pallium.review("main", { stagd: true })',
    "'stagd' does not exist in type 'ReviewOptions",
  ],
  ['return pallium.decisions.search("a", "10")', "not assignable to parameter of type 'number'"],
  ["return parallel({}, (a) => a)", "is missing in type '{}' but required in type 'Iterable"],
  ["return budget.total + 1", "'budget.total' is possibly 'null'"],
  ["return coordinator.replan(1)", "not assignable to parameter of type 'string'"],
  [
    `const a = await agent("a", { schema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } });
     return a.m`,
    "Property 'm' does not exist",
  ],
  [
    `const [a] = await parallel(["x"], async (x) => ({ x }));
     return a.x`,
    "'a' is possibly 'null'",
  ],
];

const RIGHT: readonly string[] = [
  `const a = await agent("a", { schema: { type: "object", properties: {
     list: { type: "array", items: { enum: ["x", "y"] } }, more: { type: "string" } }, required: ["list"] } });
   /** @type {"x" | "y" | undefined} */ const x = a.list[0];
   /** @type {string | undefined} */ const more = a.more;
   return [x, more]`,
  `const r = await pipeline([1, 2], (n) => String(n), async (text, n, index) => text.length + n + index);
   /** @type {(number | null)[]} */ const numbers = r; return numbers`,
  `const r = await parallel([() => agent("a"), async () => 1]); return r.length`,
  `await pallium.task.start("a", "src", ["lib"], { expires: "2h" }); return pallium.verify("fast", { keepGoing: true, keep_going: true })`,
  `const { ok, verdict } = await verify.untilGreen("a", { maxRounds: "3", apply: "always" }); return ok ? verdict : null`,
  `const g = await gate("a", "b", { fail_on_deny: false }); return g.approved && (await gate("c", { manual: true })).reason`,
];

describe("types of scripts", () => {
  let dir: TempDir;
  let complaints: ReadonlyMap<string, readonly string[]>;

  beforeAll(async () => {
    dir = await tempDir();
    await writeFile(join(dir.path, "pallium.d.ts"), scriptTypes());
    const scripts = [
      ...(await ownScripts()),
      ...WRONG.map(([script], index) => [`wrong-${index}`, script] as const),
      ...RIGHT.map((script, index) => [`right-${index}`, script] as const),
    ];
    for (const [name, script] of scripts) {
      // As it is run: inside of a function, where a script's `return` may stand.
      const { program } = await prepareScript(script, name);
      const file = name.endsWith(".js") ? name : `${name}.js`;
      await writeFile(
        join(dir.path, file),
        `${program.replace(/\n\/\/# .*$/, "")}();\nexport {};\n`,
      );
    }
    complaints = await compile(dir.path);
  });
  afterAll(() => dir[Symbol.asyncDispose]());

  test("hold for every script of ours", async () => {
    const scripts = await ownScripts();
    expect(scripts.length).toBeGreaterThan(30);
    const wrong = scripts.flatMap(([name]) => complaints.get(name.replace(/\.js$/, "")) ?? []);
    expect(wrong).toEqual([]);
    expect(complaints.get("pallium")).toBeUndefined();
  });

  for (const [index, [script, complaint]] of WRONG.entries()) {
    test(`refuse ${script}`, () => {
      expect((complaints.get(`wrong-${index}`) ?? []).join("\n")).toContain(complaint);
    });
  }

  for (const [index, script] of RIGHT.entries()) {
    test(`take ${script}`, () => expect(complaints.get(`right-${index}`) ?? []).toEqual([]));
  }

  test("name everything that scripts can call, with its documentation", () => {
    const types = scriptTypes();
    for (const name of HOST_PRIMITIVES) {
      expect(TOOLS.map((tool) => tool.name) as string[]).toContain(name);
    }
    for (const { name, description, returns } of TOOLS) {
      const last = name.split(".").at(-1);
      expect(types).toMatch(new RegExp(`(?:function|const) ${last}[<(:]`));
      expect(types).toContain(description);
      expect(types).toContain(`@returns ${returns}`);
    }
    expect(types).not.toMatch(/\/\*\* {1,2}\*\/|undefined;/);
  });
});

/** @returns what the compiler says of each file, by its name without the ending. */
async function compile(directory: string): Promise<ReadonlyMap<string, readonly string[]>> {
  // As strict as plain JavaScript can be taken.
  const strict = { strict: true, noImplicitAny: false, useUnknownInCatchVariables: false };
  const options = { ...strict, checkJs: true, noEmit: true };
  const config = {
    compilerOptions: { ...options, lib: ["esnext"], types: [], target: "esnext", module: "esnext" },
    include: ["*.js", "*.d.ts"],
  };
  await writeFile(join(directory, "tsconfig.json"), JSON.stringify(config));
  const child = Bun.spawn([join(ROOT, "node_modules/.bin/tsc"), "--pretty", "false"], {
    cwd: directory,
    stdout: "pipe",
    stderr: "inherit",
  });
  const text = await new Response(child.stdout).text();
  const found = new Map<string, string[]>();
  let last: string[] = [];
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const [, file = ""] = /^(\S[^(]*)\.(?:js|d\.ts)\(\d+,\d+\): error/.exec(line) ?? [];
    if (file === "" && !line.startsWith(" ")) throw new Error(line);
    if (file !== "") {
      last = found.get(file) ?? [];
      found.set(file, last);
    }
    last.push(line);
  }
  return found;
}
