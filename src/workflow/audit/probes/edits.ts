/** Probes of what agents edit: how it gets into a checkout, how it is kept out, how it is taken back. */
import { type Bench, provider } from "../bench.ts";
import { holds, must, says } from "../holds.ts";

const EDIT = 'return agent("add a line", { label: "edit", mode: "edit", provider: "editor" });';
const EDITOR = provider("editor", "echo two >> note.txt; echo added it");
/** Not whole, so that nobody takes this file for one that leaks. */
const KEY = ["sk", "a7Kq92LmXz81TvBn40RwYcE5dPgH"].join("-");

export async function safeEdits(bench: Bench): Promise<string> {
  const cwd = await bench.repository();
  await bench.run(EDIT, { cwd, env: EDITOR });
  must((await bench.read(`${cwd}/note.txt`)) === "one\ntwo\n", "the edit is not in the checkout");
  const status = await bench.git(cwd, "status", "--porcelain");
  must(status === " M note.txt\n", `git status says ${JSON.stringify(status)} after the edit`);
  const trees = await bench.git(cwd, "worktree", "list");
  must(trees.trim().split("\n").length === 1, "the working tree of the agent was left behind");
  const leak = provider("leak", `echo "OPENAI_API_KEY=${KEY}" > leak.env; echo done`);
  const script = 'return agent("leak", { label: "leak", mode: "edit", provider: "leak" });';
  says(
    await bench.failedRun(script, { id: "wf-leak", cwd, env: leak }),
    "workflow patch policy blocked",
  );
  must((await bench.read(`${cwd}/leak.env`)) === "", "an edit with a secret is in the checkout");
  return "an agent edited in a tree of its own, its change came into the checkout and not into the index; an edit that holds a key was kept out";
}

export async function patchRevert(bench: Bench): Promise<string> {
  const cwd = await bench.repository();
  await bench.run(EDIT, { cwd, env: EDITOR });
  const reverted = await bench.json(["workflow", "revert", "wf-audit"], { cwd });
  holds(reverted, { id: "wf-audit" });
  must((await bench.read(`${cwd}/note.txt`)) === "one\n", "the edit was not taken back");
  says(
    await bench.text(["workflow", "revert", "wf-audit"], { cwd }),
    "No workflow patches to revert",
  );
  await bench.json(["workflow", "apply", "wf-audit"], { cwd });
  must((await bench.read(`${cwd}/note.txt`)) === "one\ntwo\n", "the edit was not applied again");
  return "an edit was taken back byte for byte, and applied again";
}

export async function multiRepo(bench: Bench): Promise<string> {
  const [here, there] = [await bench.repository("here"), await bench.repository("there")];
  const script = `return agent("add a line", { repo: args.there, mode: "edit", provider: "editor" });`;
  const flags = ["--args", JSON.stringify({ there })];
  await bench.run(script, { cwd: here, flags, env: EDITOR });
  must(
    (await bench.read(`${there}/note.txt`)) === "one\ntwo\n",
    "the other repository has no edit",
  );
  must((await bench.read(`${here}/note.txt`)) === "one\n", "the run's own repository was edited");
  return "a run in one repository edited another, and only that";
}
