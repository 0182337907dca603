/** The executable as users get it, started where nothing helps it and where everything is a trap. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { type CompiledPallium, compiledPallium, writeTree } from "../support/build.ts";
import { testRepository } from "../support/repository.ts";
import { type TempDir, tempDir } from "../support/temp.ts";

const MAIN = resolve(import.meta.dir, "../../src/main.ts");
const BUILD_PATIENCE_MS = 120_000;

const AGENTS = `export const meta = { name: "smoke", description: "agents and a schema" };
const schema = { type: "object", required: ["seen"], properties: { seen: { type: "string" } } };
const answers = await parallel(args, (name) => agent("look at " + name, { label: name, schema }));
return answers.map((answer) => answer.seen);
`;
const TYPED = 'const what: string = "typed";\nreturn what;\n';
const CHECK = 'const { ok, exit_code } = await check("exit 3");\nreturn { ok, exit_code };\n';
const MEMORY = `const { exit_code } = await pallium.verify("fast", { command: "exit 4" });
const { files } = await pallium.changedNow();
return { exit_code, changed: files.map(({ path }) => path) };
`;
const ESCAPE = "return (function () { return this; })()?.process === undefined;\n";

/** Leaves its name beside the trap when it is run. */
function trap(name: string): string {
  return `require("node:fs").writeFileSync(${JSON.stringify("ran-")} + ${JSON.stringify(name)}, "");\n`;
}

/** Everything that a Bun program may pick up from the directory it is started in. */
const TRAPS: Readonly<Record<string, string>> = {
  ".env":
    "PALLIUM_HOME=planted\nPALLIUM_WORKFLOW_AGENT_STUB=planted\nBUN_OPTIONS=--preload=./preload.ts\n",
  "bunfig.toml": 'preload = ["./preload.ts"]\n',
  "preload.ts": trap("preload"),
  "package.json": '{ "type": "commonjs", "imports": { "#x": "./preload.ts" } }\n',
  "tsconfig.json": '{ "compilerOptions": { "paths": { "*": ["./planted/*"] } } }\n',
  "src/main.ts": trap("main"),
  "main.js": trap("main"),
  "workers/script/main.ts": trap("script-worker"),
  "workers/script/main.js": trap("script-worker"),
  "workers/schema/main.ts": trap("schema-worker"),
  "workers/schema/main.js": trap("schema-worker"),
  "workers/repo/main.ts": trap("repo-worker"),
  "workers/repo/main.js": trap("repo-worker"),
  ...Object.fromEntries(
    ["acorn", "ajv", "amaro", "citty", "consola", "ses", "zod"].flatMap((name) => [
      [`node_modules/${name}/index.js`, trap(name)],
      [`planted/${name}.ts`, trap(name)],
    ]),
  ),
};

let pallium: CompiledPallium;
let hostile: TempDir;
let home: TempDir;

beforeAll(async () => {
  [pallium, hostile, home] = await Promise.all([compiledPallium(), tempDir(), tempDir()]);
  await writeTree(hostile.path, TRAPS);
  await mkdir(home.join("scripts"));
  await writeTree(home.join("scripts"), {
    "agents.js": AGENTS,
    "typed.js": TYPED,
    "check.js": CHECK,
    "memory.js": MEMORY,
    "escape.js": ESCAPE,
    "broken.js": "return 1 +\n",
  });
}, BUILD_PATIENCE_MS);

afterAll(async () => {
  await hostile[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
  await pallium[Symbol.asyncDispose]();
});

interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function start(
  command: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  const child = Bun.spawn([...command], {
    cwd,
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { exitCode: await child.exited, stdout, stderr };
}

async function sprung(directory: string): Promise<readonly string[]> {
  return (await readdir(directory)).filter((name) => name.startsWith("ran-"));
}

/** The two places, made when the tests run; each with the least that a run needs. */
const PLACES = [
  ["the root directory", () => "/"],
  ["a hostile directory", () => hostile.path],
] as const;

describe.each(PLACES)("started in %s", (_place, directory) => {
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    start([pallium.path, ...args], directory(), env);
  const withHome = (extra: Readonly<Record<string, string>> = {}) => ({
    HOME: home.path,
    PATH: "/usr/bin:/bin",
    ...extra,
  });
  const runScript = async (
    name: string,
    extra: Readonly<Record<string, string>> = {},
    cwd = home.path,
  ) => {
    const script = ["--cwd", cwd, "--script", join(home.path, "scripts", name)];
    const args = ["workflow", "run", ...script, "--args", '["a","b","c"]', "--json"];
    const ended = await run(args, withHome(extra));
    if (ended.exitCode !== 0) throw new Error(`exit status ${ended.exitCode}: ${ended.stderr}`);
    return JSON.parse(ended.stdout);
  };

  test("tells its version with an empty environment", async () => {
    const { exitCode, stdout, stderr } = await run(["version", "--json"]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({
      version: manifest.version,
      commit: expect.stringMatching(/^[0-9a-f]{12}(?:-dirty)?$|^unknown$/),
    });
  });

  test("describes its commands with an empty environment", async () => {
    const { exitCode, stdout } = await run(["help", "--json"]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('"workflow run"');
  });

  test("validates scripts, typed ones and broken ones too", async () => {
    const validate = (name: string) =>
      run(["workflow", "validate", join(home.path, "scripts", name), "--json"], withHome());
    const [good, typed, broken] = await Promise.all(
      ["agents.js", "typed.js", "broken.js"].map(validate),
    );
    expect(JSON.parse(good?.stdout ?? "")).toMatchObject({ valid: true });
    expect(JSON.parse(typed?.stdout ?? "")).toMatchObject({ valid: true });
    expect(JSON.parse(broken?.stdout ?? "")).toMatchObject({ valid: false });
  });

  test("runs agents in parallel and holds their answers against a schema", async () => {
    const stub = { PALLIUM_WORKFLOW_AGENT_STUB: '{"seen":"{{PROMPT}}"}' };
    const { run: workflow, agents } = await runScript("agents.js", stub);
    expect(workflow.status).toBe("completed");
    expect(JSON.parse(workflow.result)).toEqual(["look at a", "look at b", "look at c"]);
    expect(agents).toHaveLength(3);
  });

  test("drops answers that do not match the schema", async () => {
    const args = ["workflow", "run", "--cwd", home.path, "--json"];
    const script = ["--script", join(home.path, "scripts", "agents.js"), "--args", '["a"]'];
    const stub = { PALLIUM_WORKFLOW_AGENT_STUB: '{"other":1}' };
    const { exitCode, stdout } = await run([...args, ...script], withHome(stub));
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout).agents[0]).toMatchObject({ outcome: "schema_failed" });
  });

  test("runs a command itself and tells its exit status", async () => {
    const { run: workflow } = await runScript("check.js");
    expect(JSON.parse(workflow.result)).toEqual({ ok: false, exit_code: 3 });
  });

  test("asks repository memory, and runs a verification", async () => {
    await using repo = await testRepository();
    await repo.commit("one", { "a.ts": "export {};\n" });
    await run(["index", repo.path], withHome());
    await repo.write({ "b.ts": "export {};\n" });
    const { run: workflow } = await runScript("memory.js", {}, repo.path);
    expect(JSON.parse(workflow.result)).toEqual({ exit_code: 4, changed: ["b.ts"] });
  });

  test("runs typed scripts, and shows no script the host", async () => {
    expect((await runScript("typed.js")).run.result).toBe("typed");
    expect((await runScript("escape.js")).run.result).toBe("true");
  });

  test("ran nothing of what was planted", async () => {
    expect(await sprung(hostile.path)).toEqual([]);
    expect(await Bun.file(hostile.join("planted", "pallium.sqlite")).exists()).toBe(false);
  });
});

test("the traps are live: a Bun that is not kept from it runs the preload", async () => {
  await using dir = await tempDir();
  await writeTree(dir.path, TRAPS);
  const { stdout } = await start([process.execPath, MAIN, "version"], dir.path, {});
  expect(stdout).toContain(manifest.version);
  expect(await sprung(dir.path)).toEqual(["ran-preload"]);
});
