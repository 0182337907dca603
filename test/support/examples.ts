/** Runs the example workflows against real repositories, with a worker that answers any schema. */
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Json } from "../../src/lib/json.ts";
import { type CliHome, cliHome } from "./cli.ts";
import { provider } from "./workflow.ts";

export const EXAMPLES = resolve(import.meta.dir, "../../docs/examples");

/** Writes the smallest answer that matches the schema; `OVERRIDES` replaces answers by label. */
const WORKER = `
const { readFileSync, writeFileSync } = require("node:fs");
const { OVERRIDES, PALLIUM_WORKFLOW_LABEL: label, PALLIUM_WORKFLOW_SCHEMA_FILE: schemaFile,
  PALLIUM_WORKFLOW_OUTPUT_FILE: outputFile } = process.env;
const schema = JSON.parse(readFileSync(schemaFile, "utf8"));
function answer({ type, properties = {}, items, enum: values }) {
  if (values) return values[0];
  if (type === "object") {
    return Object.fromEntries(Object.entries(properties).map(([k, v]) => [k, answer(v)]));
  }
  if (type === "array") return [answer(items)];
  return { string: "text", integer: 0, boolean: true }[type];
}
const override = Object.entries(JSON.parse(OVERRIDES)).find(([key]) => label.startsWith(key));
if (override && override[1] === null) process.exit(7);
writeFileSync(outputFile, JSON.stringify(override ? override[1] : answer(schema)));
`;

export interface ExampleRun {
  readonly exitCode: number;
  readonly stderr: string;
  readonly status: string;
  readonly result: Record<string, Json>;
  /** Labels of the agents and checks, in the order they were started. */
  readonly labels: readonly string[];
}

export interface ExampleOptions {
  readonly args?: Json;
  /** Answers of agents whose label begins with the key; `null` makes them fail. */
  readonly answers?: Readonly<Record<string, Json>>;
  readonly env?: Readonly<Record<string, string>>;
}

export interface ExampleHome extends AsyncDisposable {
  /** Where the example works; empty at first. */
  readonly repo: string;
  git(...args: readonly string[]): Promise<void>;
  write(path: string, text: string): Promise<void>;
  run(example: string, options?: ExampleOptions): Promise<ExampleRun>;
}

export async function exampleHome(): Promise<ExampleHome> {
  const home = await cliHome();
  const repo = join(home.directory, "a repo's folder");
  const worker = join(home.directory, "worker.cjs");
  await mkdir(repo);
  await writeFile(worker, WORKER);
  return {
    repo,
    git: (...args) => git(home, repo, args),
    write: async (path, text) => {
      await mkdir(resolve(repo, path, ".."), { recursive: true });
      await writeFile(join(repo, path), text);
    },
    run: (example, options) => runExample(home, repo, worker, example, options),
    [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
  };
}

async function git(home: CliHome, repo: string, args: readonly string[]): Promise<void> {
  const identity = ["-c", "user.name=T", "-c", "user.email=t@example.com"];
  const child = Bun.spawn(["git", ...identity, ...args], {
    cwd: repo,
    env: { PATH: process.env.PATH ?? "", HOME: home.directory },
    stdout: "ignore",
    stderr: "pipe",
  });
  if ((await child.exited) !== 0) throw new Error(await child.stderr.text());
}

async function runExample(
  home: CliHome,
  repo: string,
  worker: string,
  example: string,
  { args, answers = {}, env = {} }: ExampleOptions = {},
): Promise<ExampleRun> {
  // A copy, so that it is the script alone that is run.
  const script = join(home.directory, example);
  await cp(join(EXAMPLES, example), script);
  const input = args === undefined ? [] : ["--args", JSON.stringify(args)];
  const outcome = await home.pallium(
    ["workflow", "run", "--script", script, "--cwd", repo, "--json", ...input],
    {
      env: {
        PALLIUM_WORKFLOW_PROVIDER: "fake",
        ...provider(
          "fake",
          `OVERRIDES='${JSON.stringify(answers)}' '${process.execPath}' '${worker}'`,
        ),
        ...env,
      },
    },
  );
  if (outcome.stdout === "") throw new Error(outcome.stderr);
  const { run, agents } = JSON.parse(outcome.stdout);
  return {
    exitCode: outcome.exitCode,
    stderr: outcome.stderr,
    status: run.status,
    result: JSON.parse(run.result ?? "{}"),
    labels: (agents ?? []).map((agent: { readonly label?: string }) => agent.label ?? ""),
  };
}
