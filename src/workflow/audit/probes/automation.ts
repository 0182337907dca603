/** Probes of what starts runs, counts them, and speaks for them to other programs. */
import { answering, type Bench, provider } from "../bench.ts";
import { holds, must, says } from "../holds.ts";

/** Waits for a file that the probe writes, though not for ever. */
const PATIENT = `touch started
tries=0
while [ ! -e go ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 600 ] || exit 1
  sleep 0.05
done
echo went`;

export async function triggers(bench: Bench): Promise<string> {
  const script = await bench.write("look.js", 'return "looked";');
  const words = ["workflow", "trigger", "add", "nightly", "look", "--script", script];
  holds(await bench.json([...words, "--cwd", bench.directory]), {
    name: "nightly",
    kind: "manual",
  });
  const run = await bench.json(["workflow", "trigger", "run", "nightly", "--id", "wf-nightly"]);
  holds(run, { "run.status": "completed", "run.result": "looked" });
  holds(await bench.json(["workflow", "trigger", "show", "nightly"]), {
    enabled: true,
    last_run_id: "wf-nightly",
  });
  return "a trigger was made, started its script, and kept which run that was";
}

export async function onChangedTriggers(bench: Bench): Promise<string> {
  const cwd = await addOnChanged(bench);
  const fire = (id: string) =>
    bench.json(["workflow", "trigger", "run", "changed", "--id", id], { cwd });
  holds(await fire("wf-1"), { "run.status": "completed" });
  holds(await fire("wf-2"), { skipped: true, reason: "unchanged", last_run_id: "wf-1" });
  await bench.write("repo/note.txt", "another one\n");
  holds(await fire("wf-3"), { "run.status": "completed" });
  return "a trigger ran, skipped while nothing changed, and ran again after an edit";
}

export async function triggerWatch(bench: Bench): Promise<string> {
  const cwd = await addOnChanged(bench);
  const look = () => bench.json(["workflow", "trigger", "watch", "--once"], { cwd });
  holds(await look(), { checked: 1, started: 1, skipped: 0, errors: 0 });
  holds(await look(), { checked: 1, started: 0, skipped: 1, errors: 0 });
  return "a watch started what had changed, and the next look skipped it";
}

async function addOnChanged(bench: Bench): Promise<string> {
  const cwd = await bench.repository();
  const script = await bench.write("look.js", 'return "looked";');
  const words = ["workflow", "trigger", "add", "changed", "look", "--kind", "on-changed"];
  await bench.json([...words, "--script", script, "--cwd", cwd]);
  return cwd;
}

export async function fleetStatus(bench: Bench): Promise<string> {
  await bench.run('return agent("look");', { env: answering("seen") });
  holds(await bench.json(["workflow", "fleet", "status"]), {
    runs_total: 1,
    "runs_by_status.completed": 1,
    running_agents: 0,
    failed_agents: 0,
    "recent_runs.0.id": "wf-audit",
  });
  return "the fleet counted a run that had completed, and nothing at work";
}

export async function fleetGuard(bench: Bench): Promise<string> {
  const script = 'return agent("wait", { provider: "patient" });';
  const first = bench.run(script, { id: "wf-first", env: provider("patient", PATIENT) });
  try {
    await Promise.race([bench.appears(`${bench.directory}/started`), first]);
    const flags = ["--max-active-runs", "1"];
    says(
      await bench.failedRun("return 1;", { id: "wf-second", flags }),
      "workflow fleet limit reached",
    );
  } finally {
    await bench.write("go", "");
    await first.catch(() => {});
  }
  holds(await first, { "run.status": "completed", result: "went" });
  return "while one run was at work, a second was refused under a limit of one; the first one completed";
}

export async function analytics(bench: Bench): Promise<string> {
  await bench.run('return agent("look", { provider: "seer" });', {
    env: provider("seer", "echo seen"),
  });
  holds(await bench.json(["workflow", "analytics"]), {
    runs_total: 1,
    agents_total: 1,
    completion_rate: 1,
    "agents_by_provider.seer": 1,
  });
  return "analytics counted a run, its agent and the provider of that";
}

export async function mcpSurface(bench: Bench): Promise<string> {
  const ask = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  const said = await bench.text(["workflow", "mcp"], { input: `${JSON.stringify(ask)}\n` });
  says(said, "pallium_workflow_run");
  must(!said.startsWith("Content-Length"), "the answer to a line has a header in front of it");
  return "a server on stdio listed its tools to one line of JSON";
}
