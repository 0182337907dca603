/** Probes of how scripts run: agents, resumes, budgets, loops, gates. */
import { answering, type Bench, provider } from "../bench.ts";
import { holds, must, says, valueAt } from "../holds.ts";

/** Answers only once four agents are at work at the same time. */
const MEETING = `touch "here.$PALLIUM_WORKFLOW_LABEL"
tries=0
while [ "$(ls here.* | wc -l)" -lt 4 ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 200 ] && [ ! -e late ] || { touch late; exit 1; }
  sleep 0.05
done
echo met`;

export async function coreRunner(bench: Bench): Promise<string> {
  const script = `phase("look");
const seen = await agent("look around", { label: "first" });
return { seen, word: args.word };`;
  const flags = ["--args", '{"word":"given"}'];
  const run = await bench.run(script, { flags, env: answering("a house") });
  const asked = { "run.status": "completed", "agents.0.label": "first", "phases.0.name": "look" };
  holds(run, { ...asked, result: { seen: "a house", word: "given" } });
  const resumed = await bench.json(["workflow", "resume", "wf-audit"], {
    env: answering("another house"),
  });
  holds(resumed, { "run.status": "completed" });
  says(await bench.text(["workflow", "read", "wf-audit"]), '"seen": "a house"');
  return "a script ran an agent and returned its answer; a resume took it from the record, though the agent would have answered otherwise";
}

export async function parallelWorkers(bench: Bench): Promise<string> {
  const script = `return parallel(["a", "b", "c", "d"], (label) =>
  agent("meet the others", { label, provider: "meeting" }));`;
  const run = await bench.run(script, { env: provider("meeting", MEETING) });
  holds(run, { "run.status": "completed", result: ["met", "met", "met", "met"] });
  return "four agents each waited until all four were at work, and all of them answered";
}

export async function composition(bench: Bench): Promise<string> {
  await bench.run('return "reviewed " + args.topic;', { id: "wf-inner", flags: ["--args", "{}"] });
  await bench.json(["workflow", "save", "wf-inner", "--name", "inner"]);
  const run = await bench.run('return { inner: await workflow("inner", { topic: "auth" }) };');
  holds(run, { result: { inner: "reviewed auth" } });
  return "the script of a run was saved under a name, and another script ran it by that name";
}

export async function budgetControls(bench: Bench): Promise<string> {
  const script = `return parallel([1, 2, 3, 4], (n) => agent("look " + n, { label: "look-" + n }));`;
  const said = await bench.failedRun(script, {
    flags: ["--max-budget-usd", "0.03"],
    env: { ...answering("seen"), PALLIUM_WORKFLOW_AGENT_COST_USD: "0.02" },
  });
  says(said, "workflow budget exhausted");
  const { agents } = (await bench.json(["workflow", "show", "wf-audit"])) as {
    readonly agents: readonly unknown[];
  };
  must(agents.length === 1, `${agents.length} agents were started, where one was paid for`);
  return "of four agents at $0.02 each, a budget of $0.03 let one begin and ended the run";
}

export async function objectiveLoops(bench: Bench): Promise<string> {
  const cwd = await bench.repository();
  const script = `return verify.untilGreen("grep -q mended note.txt");`;
  const fixer = provider("fixer", `echo mended >> note.txt; echo '{"summary":"mended"}'`);
  const env = { ...fixer, PALLIUM_WORKFLOW_PROVIDER: "fixer" };
  const run = await bench.run(script, { cwd, env });
  holds(run, { "result.ok": true, "result.verdict": "green" });
  must((await bench.read(`${cwd}/note.txt`)) === "one\nmended\n", "the fix is not in the checkout");
  return "a check failed, an agent fixed what it looks at, the check passed, and the fix is in the checkout";
}

export async function decisionMemory(bench: Bench): Promise<string> {
  await bench.run(
    'await pallium.decisions.record("Keep the index immutable", "readers", "index");',
  );
  const run = await bench.run('return pallium.decisions.search("immutable readers", 5);', {
    id: "wf-later",
  });
  holds(run, { "result.0.title": "Keep the index immutable", "result.0.run_id": "wf-audit" });
  return "what one run put on record, another run found by words of it";
}

export async function agentGates(bench: Bench): Promise<string> {
  const script = 'const { approved } = await gate("release", "Is it safe?"); return { approved };';
  const verdict = (approved: boolean) =>
    answering(JSON.stringify({ approved, reason: "looked", evidence: ["note"] }));
  holds(await bench.run(script, { env: verdict(true) }), { "result.approved": true });
  const said = await bench.failedRun(script, { id: "wf-denied", env: verdict(false) });
  says(said, 'workflow gate "release" rejected by agent');
  const gates = await bench.json(["workflow", "gate", "list", "wf-denied"]);
  holds(gates, { "0.name": "release", "0.status": "rejected" });
  return "an approved gate let a run go on, a denied one ended it, and both are on record";
}

export async function coordinatorReplan(bench: Bench): Promise<string> {
  const plan = JSON.stringify({ decision: "stop here", next_steps: ["write it down"] });
  const script = `await agent("look", { label: "first" });
return coordinator.replan("finish the note");`;
  const env = {
    ...answering("seen"),
    PALLIUM_WORKFLOW_AGENT_STUB_SEQUENCE: JSON.stringify(["seen", plan]),
  };
  const run = await bench.run(script, { env });
  holds(run, { "result.decision": "stop here", "result.next_steps": ["write it down"] });
  const prompt = String(valueAt(run, "agents.1.prompt"));
  says(prompt, "finish the note", "first");
  return "a coordinator was told the goal and what had been done, and its plan came back to the script";
}

export async function configuredProviders(bench: Bench): Promise<string> {
  const script = 'return agent("say it back", { label: "echo", provider: "echo" });';
  const command = 'cat "$PALLIUM_WORKFLOW_PROMPT_FILE" > "$PALLIUM_WORKFLOW_OUTPUT_FILE"';
  const run = await bench.run(script, { env: provider("echo", command) });
  holds(run, { "agents.0.provider": "echo", "agents.0.status": "completed" });
  says(String(valueAt(run, "result")), "say it back");
  const said = await bench.failedRun('return agent("x", { provider: "ghost" });', {
    id: "wf-ghost",
  });
  says(said, "PALLIUM_WORKFLOW_PROVIDER_GHOST_COMMAND");
  return "a shell command was given the prompt in a file and answered in another; one that nobody configured is named with its variable";
}
