/** Probes of what is there for those who write workflows. */
import type { Json } from "../../../lib/json.ts";
import { answering, type Bench } from "../bench.ts";
import { holds, must, says, unmet, valueAt } from "../holds.ts";

const NEEDED_TOOLS = [
  "agent",
  "parallel",
  "pipeline",
  "check",
  "verify.untilGreen",
  "workflow",
  "gate",
  "coordinator.replan",
  "pallium.preflight",
];

export async function discovery(bench: Bench): Promise<string> {
  const tools = namesIn(await bench.json(["workflow", "tools", "list"]));
  const missing = NEEDED_TOOLS.filter((name) => !tools.includes(name));
  must(missing.length === 0, `workflow tools does not list ${missing.join(", ")}`);
  const templates = namesIn(await bench.json(["workflow", "template", "list"]));
  must(templates.length > 0, "workflow template lists nothing");
  const help = await bench.text(["help"]);
  says(help, "workflow");
  return `${tools.length} calls of scripts and ${templates.length} templates are listed: ${templates.join(", ")}`;
}

export async function scriptValidation(bench: Bench): Promise<string> {
  const good = await bench.write("good.js", 'return agent("look");\n');
  const bad = await bench.write("bad.js", 'phase("scan";\n');
  holds(await bench.json(["workflow", "validate", good]), { valid: true });
  says(await bench.refusal(["workflow", "validate", bad, "--json"]), '"valid": false', "1:13");
  return "a script was found valid; one that lacks a bracket was refused with line and column, and a failing exit status";
}

export async function generation(bench: Bench): Promise<string> {
  const cwd = await bench.repository();
  const words = ["workflow", "generate", 'mend the "note"', "--style", "test-fix"];
  const flags = ["--test-command", "grep -q one note.txt", "--output", "fix.js", "--cwd", cwd];
  const made = await bench.json([...words, ...flags]);
  says(String(valueAt(made, "script")), "verify.untilGreen", "grep -q one note.txt");
  const script = `${cwd}/fix.js`;
  holds(await bench.json(["workflow", "validate", script]), { valid: true });
  await bench.git(cwd, "commit", "--quiet", "--allow-empty", "--message", "Second");
  await bench.json(["index", cwd]);
  const run = await bench.json(["workflow", "run", "--script", script, "--cwd", cwd]);
  holds(run, { "run.status": "completed" });
  return "a script was written for a task and a test command, found valid, and run";
}

export async function workflowLibrary(bench: Bench): Promise<string> {
  const packs = namesIn(await bench.json(["workflow", "library", "list"]));
  must(packs.length > 0, "workflow library lists nothing");
  for (const pack of packs) {
    const done = await bench.json(["workflow", "library", "install", pack]);
    holds(done, { installed: true, workflow: pack });
    const path = `${bench.directory}/.pallium/workflows/${pack}.js`;
    holds(await bench.json(["workflow", "validate", path]), { valid: true });
  }
  return `${packs.join(", ")} were installed as saved workflows, which are valid`;
}

export async function repoPreflight(bench: Bench): Promise<string> {
  const cwd = await bench.repository();
  const words = ["workflow", "preflight", "tighten the note", "--scope", "note.txt"];
  const document = await bench.json(words, { cwd });
  holds(document, { task: "tighten the note", scope_paths: ["note.txt"] });
  says(JSON.stringify(valueAt(document, "files_to_inspect") ?? []), "note.txt");
  const script = `const { scope_paths } = await pallium.preflight("tighten the note", "note.txt");
return scope_paths;`;
  holds(await bench.run(script, { cwd }), { result: ["note.txt"] });
  return "a command and a script were told what to look at before a task";
}

export async function structuredReports(bench: Bench): Promise<string> {
  const answer = {
    summary: "looked at the locks",
    observations: ["the lock is never refreshed"],
    risks: ["two runs edit at once"],
    next_step: "refresh it on a timer",
  };
  await bench.run('return agent("look at the locks", { label: "locks" });', {
    env: answering(JSON.stringify(answer)),
  });
  holds(await bench.json(["workflow", "report", "wf-audit"]), {
    status: "completed",
    "findings.0": "the lock is never refreshed",
    "risks.0": "two runs edit at once",
    "next_steps.0": "refresh it on a timer",
    "agents.0.label": "locks",
  });
  return "a report drew finding, risk and next step from what an agent answered";
}

/** A transcript as Claude Code leaves it, of two messages. */
const TRANSCRIPT = [
  { type: "user", message: { role: "user", content: "mend the lock of the index" } },
  {
    type: "assistant",
    message: { role: "assistant", content: [{ type: "text", text: "The lock is mended." }] },
  },
];

export async function sessionLink(bench: Bench): Promise<string> {
  const lines = TRANSCRIPT.map((line, at) =>
    JSON.stringify({
      ...line,
      sessionId: "audit-session",
      uuid: `audit-${at}`,
      cwd: bench.directory,
      timestamp: `2026-01-01T00:00:0${at}.000Z`,
    }),
  );
  const path = await bench.write(".claude/projects/audit/audit-session.jsonl", lines.join("\n"));
  // What changed a moment ago is left for later by the index.
  await bench.run(`return check("touch -t 202601010000 '${path}'");`, {
    flags: ["mend the lock of the index"],
  });
  await bench.json(["sessions", "index"]);
  const report = await bench.json(["workflow", "report", "wf-audit", "--related"]);
  if (valueAt(report, "related_sessions.0") === undefined) {
    throw unmet("reports name no sessions, though a transcript of the same task was indexed");
  }
  return "a report named the session of an agent that had been about the same";
}

function namesIn(list: Json): readonly string[] {
  if (!Array.isArray(list)) return [];
  return list.map((item: Json) => String(valueAt(item, "name")));
}
