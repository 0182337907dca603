/** Whoever reads our JSON on a repository as the Go program's finds every field where it was. */
import { expect, test } from "bun:test";
import { outputs } from "../../src/operations/schemas.ts";
import { type RepoCli, repoCli } from "../support/repo-cli.ts";
import golden from "./go-0.9.17.json";
import { missing, type Step } from "./shapes.ts";

const AUTH = "internal/auth/auth.go";

const authSource = (round: number) =>
  `package auth\n\n// v${round}\nfunc Check(s string) bool { return len(s) > ${round % 3} }\n`;
const authTest = (round: number) =>
  `package auth\n\nimport "testing"\n\n// v${round}\nfunc TestCheck(t *testing.T) { if !Check("aaaa") { t.Fatal("no") } }\n`;
const api = (round: number) =>
  `import { get } from "./http";\n// v${round}\nexport const users = () => get("/users?v=${round}");\n`;

/** Go and TypeScript, 14 commits by two authors, a rename, pairs that move together, one change. */
async function fixture({ repo }: RepoCli): Promise<void> {
  await repo.commit("initial: auth and web client", {
    "go.mod": "module example.com/app\n\ngo 1.22\n",
    "main.go":
      'package main\n\nimport "example.com/app/internal/auth"\n\nfunc main() { auth.Check("x") }\n',
    [AUTH]: authSource(0),
    "internal/auth/auth_test.go": authTest(0),
    "web/package.json": '{"name":"web","scripts":{"test":"node --test"}}\n',
    "web/src/api.ts": api(0),
    "web/src/http.ts": "export const get = (p: string) => fetch(p);\n",
    "web/src/api.test.ts": 'import { users } from "./api";\nusers();\n',
    "README.md": "# app\n",
  });
  for (let round = 1; round <= 12; round++) {
    const by = round % 3 === 0 ? "bob" : "ann";
    if (round % 2 === 1) {
      const files = { [AUTH]: authSource(round), "internal/auth/auth_test.go": authTest(round) };
      await repo.commit(`fix(auth): reject empty tokens, round ${round}`, files, { by });
    } else {
      const http = `// v${round}\nexport const get = (p: string) => fetch(p);\n`;
      const files = { "web/src/api.ts": api(round), "web/src/http.ts": http };
      const message = `feat(web): decided to version the users endpoint, round ${round}`;
      await repo.commit(message, files, { by });
    }
  }
  await repo.git("mv", "README.md", "GUIDE.md");
  await repo.commit("docs: rename the guide");
  await repo.git("branch", "base", "HEAD~3");
  await repo.write({ [AUTH]: authSource(1) });
}

/** In this order: later steps read what earlier ones recorded. */
const STEPS: readonly (readonly [string, string, readonly string[]])[] = [
  ["index", "index", ["index"]],
  ["doctor", "doctor", ["doctor"]],
  ["explain", "explain", ["explain", AUTH]],
  ["risk", "risk", ["risk", AUTH]],
  ["neighbors", "neighbors", ["neighbors", AUTH]],
  ["decisions", "decisions", ["decisions", "endpoint"]],
  ["safe", "safe", ["safe", AUTH]],
  ["plan", "plan", ["plan", "web/src/api.ts"]],
  ["changed-now", "changed-now", ["changed-now"]],
  ["task-start", "task.start", ["task", "start", "Tighten auth", "internal/auth"]],
  ["task-show", "task.show", ["task", "show"]],
  // By a command of its own: what it would run needs Go.
  ["verify-fast", "verify", ["verify", "fast", "--command", "exit 0"]],
  ["review", "review", ["review", "base"]],
  ["handoff", "handoff", ["handoff", "base"]],
  [
    "preflight",
    "workflow.preflight",
    ["workflow", "preflight", "tighten auth", "--scope", "internal/auth"],
  ],
  ["task-clear", "task.clear", ["task", "clear"]],
];

test("repo memory's documents hold every path of the Go program's, and fit their schemas", async () => {
  await using cli = await repoCli();
  await fixture(cli);
  for (const [name, operation, args] of STEPS) {
    const step = (golden as Record<string, Step>)[`memory/${name}`];
    const { stdout, stderr, exitCode } = await cli.pallium([...args, "--json"]);
    expect({ name, exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({
      name,
      exitCode: step?.exit ?? 0,
      stderr: "",
    });
    const document = JSON.parse(stdout);
    expect({ name, missing: missing(step?.shape ?? {}, document) }).toEqual({ name, missing: [] });
    const schema = outputs[operation as keyof typeof outputs];
    expect({ name, problems: schema.safeParse(document).error?.issues ?? [] }).toEqual({
      name,
      problems: [],
    });
  }
}, 120_000);
