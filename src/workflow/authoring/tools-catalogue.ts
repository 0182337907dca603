/** What a workflow script can call: the data of `workflow tools list`, in the order it is listed. */
import { PALLIUM_CALLS } from "./pallium-tools.ts";

export type ToolKind = "control" | "agent" | "verification" | "pallium";

export interface WorkflowTool {
  readonly name: string;
  readonly signature: string;
  readonly kind: ToolKind;
  readonly description: string;
  readonly returns: string;
  /** Valid script text. */
  readonly example: string;
  readonly notes?: readonly string[];
}

const CONTROL_TOOLS: readonly WorkflowTool[] = [
  {
    name: "phase",
    signature: "phase(name, fn?)",
    kind: "control",
    description:
      "Names the part of the work that follows, for status and reports; with a function, only the calls made inside it.",
    returns: "Without a function nothing; with one, what it returns.",
    example: 'phase("inspect");\nconst notes = await phase("read", () => agent("Read README.md"));',
    notes: ["A phase is a label: changing it does not make a resumed run repeat calls."],
  },
  {
    name: "log",
    signature: "log(...parts)",
    kind: "control",
    description: "Writes one line to the run's progress on stderr; values are shown as JSON.",
    returns: "Nothing.",
    example: 'log("angles:", ["correctness", "tests"]);',
  },
  {
    name: "budget",
    signature: "budget.total, budget.spent(), budget.remaining()",
    kind: "control",
    description: "The run's money in US dollars, to decide whether more agents are worth it.",
    returns: "Numbers; total and remaining() are null where the run has no limit.",
    example:
      'const left = budget.remaining();\nif (left !== null && left < 0.1) log("nearly spent:", budget.spent());',
    notes: ["Set the limit with --max-budget-usd. It holds over resumes."],
  },
];

const AGENT_TOOLS: readonly WorkflowTool[] = [
  {
    name: "agent",
    signature: "agent(prompt, options?)",
    kind: "agent",
    description:
      "Gives one task to an agent. Really asynchronous: several calls run at the same time, as many as the run allows.",
    returns:
      "A promise of the answer: data that matches the schema if one was given; otherwise parsed if it is a JSON object or array, else text. Rejects with an Error (name, code, message) when the call fails.",
    example: `const review = await agent("Review src/auth for missing checks", {
  label: "auth-review",
  mode: "read-only",
  schema: {
    type: "object",
    properties: { findings: { type: "array", items: { type: "string" } } },
    required: ["findings"],
  },
});
return review.findings;`,
    notes: [
      "Options: label, provider, model, mode, repo, schema, timeout_seconds, network, isolation, phase; camelCase works too, an unknown one is an error.",
      'Mode "read-only" (the default), "test", "check" or "edit"; an agent that edits, or has isolation "worktree", works in a tree of its own, and its edits are brought into the checkout when the run completes.',
      "A finished call is kept: a resumed run gets its answer again without paying for it.",
    ],
  },
];

const GROUP_TOOLS: readonly WorkflowTool[] = [
  {
    name: "parallel",
    signature: "parallel(items, fn?)",
    kind: "control",
    description:
      "Calls fn(item, index) for all items at once, or the items themselves where they are functions, and waits for all of them. Callbacks may be async.",
    returns: "A promise of the results in the order of the items; null for each that failed.",
    example: `const answers = await parallel(["auth", "billing"], async (area) => {
  const notes = await agent("Review src/" + area, { label: area });
  return { area, notes };
});
return answers.filter((answer) => answer !== null);`,
    notes: [
      "At most 4096 items.",
      "A failed item is counted and listed with the run; with --strict it fails the run.",
      "A spent budget, a reached agent limit or a stop ends the whole call instead of one item.",
    ],
  },
  {
    name: "pipeline",
    signature: "pipeline(items, stage1, stage2, ...)",
    kind: "control",
    description:
      "Takes each item through stage(previous, item, index) one stage after another; fast items do not wait for slow ones. Stages may be async.",
    returns:
      "A promise of the last stage's results in the order of the items; null for each item that failed, whose later stages are skipped.",
    example: `const checked = await pipeline(
  ["correctness", "tests"],
  (angle) => agent("Look at this repository for " + angle + " problems", { label: angle }),
  (found, angle) => agent("Verify these claims: " + JSON.stringify(found), { label: "verify-" + angle }),
);
return checked;`,
    notes: ["At most 4096 items.", "Failed items are counted as with parallel."],
  },
];

const VERIFICATION_TOOLS: readonly WorkflowTool[] = [
  {
    name: "check",
    signature: "check(command, options?)",
    kind: "verification",
    description:
      "Runs a shell command itself, without an agent, in the run's directory; its exit code is the truth.",
    returns:
      "A promise of { ok, command, summary, output_tail, failures: [{ name, message, file?, line? }], exit_code, duration_ms, timed_out?, output_limited? }. A failing command does not reject.",
    example: `const tests = await check("npm test", { label: "tests", timeoutSeconds: 600 });
if (!tests.ok) log(tests.summary, tests.failures);
return tests.ok;`,
    notes: [
      "Failures are read from the output of go test, pytest, unittest, jest, vitest, bun test, node:test and TAP, cargo test, Maven, tsc, eslint, ruff and mypy; of any other command the end of the output is the failure.",
      "Options: label, timeout_seconds, provider, model, schema. With a provider an agent runs the command instead.",
      "A finished check is kept like an agent's answer: a resumed run does not run it again.",
    ],
  },
  {
    name: "verify.untilGreen",
    signature: "verify.untilGreen(command, options?)",
    kind: "verification",
    description:
      "Checks, lets an agent fix what failed, and checks again, for at most maxRounds fixes.",
    returns:
      "A promise of { ok, command, rounds, stalled, verdict, weakened, merged, patch? }; verdict is green, stalled, exhausted or weakened.",
    example:
      'const fixed = await verify.untilGreen("npm test", { label: "tests", maxRounds: 3 });\nreturn fixed.ok;',
    notes: [
      "Options: maxRounds (3), label, provider, model, fix_model, effort, apply.",
      'Only what is green, without a weakened test, is merged with the other edits of the run; with apply "always" the rest is too.',
    ],
  },
];

const COMPOSITION_TOOLS: readonly WorkflowTool[] = [
  {
    name: "workflow",
    signature: "workflow(name, args?)",
    kind: "control",
    description:
      "Runs a saved workflow as part of this run: it shares the caps, the budget and the journal, and finds args as its own.",
    returns:
      "A promise of what that workflow returns; text that is a JSON object or array is parsed. Rejects with the code of its error.",
    example:
      'const audit = await workflow("security-audit", { task: "review auth" });\nreturn audit;',
    notes: [
      "Looked for in .pallium/workflows and .claude/workflows, from the run's directory to the top of the repository, then at home.",
      "It may not run a workflow itself.",
      "Its text is kept with the run: a resumed run goes on though the file is gone, and says when it changed.",
    ],
  },
  {
    name: "gate",
    signature: "gate(name, prompt?, options?)",
    kind: "control",
    description:
      "Asks whether the script may go on: an agent decides, or with manual a person at the command line.",
    returns:
      "A promise of { approved, reason, gate, verdict }. A denial rejects with code gate_rejected and ends the run unless the script catches it; with fail_on_deny false it is returned.",
    example:
      'await gate("release", "Is the change safe to release?", { criteria: "all tests pass" });',
    notes: [
      "Options: criteria, fail_on_deny, manual, label, provider, model, mode, timeout_seconds.",
      "A manual gate waits for pallium workflow gate approve or reject, without a slot and without cost, over kills and resumes.",
      "The verdict is kept, a denial too. pallium workflow gate reopen has it asked again by the next resume; another prompt or other criteria are another gate.",
    ],
  },
  {
    name: "coordinator.replan",
    signature: "coordinator.replan(goal, options?)",
    kind: "control",
    description:
      "Asks an agent what to do next, given what this run has done so far: labels, outcomes and the beginning of the latest answers.",
    returns:
      "A promise of { decision, next_steps, spawn?, stop_reason? }, or of what schema asks for.",
    example:
      'const plan = await coordinator.replan("make the suite pass");\nlog(plan.decision, plan.next_steps);',
    notes: [
      "Options as agent; it only reads.",
      "A resumed run takes the plan from the record as long as what was done before it ended as it did. Await that before: what is still at work is not told.",
    ],
  },
];

const PALLIUM_TOOLS: readonly WorkflowTool[] = PALLIUM_CALLS.map(({ call, ...rest }) => ({
  name: `pallium.${call.slice(0, call.indexOf("("))}`,
  signature: `pallium.${call}`,
  kind: "pallium",
  ...rest,
}));

export const TOOLS: readonly WorkflowTool[] = [
  ...CONTROL_TOOLS,
  ...AGENT_TOOLS,
  ...GROUP_TOOLS,
  ...VERIFICATION_TOOLS,
  ...COMPOSITION_TOOLS,
  ...PALLIUM_TOOLS,
];
