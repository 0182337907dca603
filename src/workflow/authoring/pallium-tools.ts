/** The part of the catalogue that reads repository memory and decisions. */
export interface PalliumCall {
  /** What stands behind `pallium.` in a script. */
  readonly call: string;
  readonly description: string;
  readonly returns: string;
  readonly example: string;
  readonly notes: readonly string[];
}

const AS_COMMAND =
  "Answers what the command of that name prints with --json, for the run's directory; rejects with its code and message.";
const KEPT = "No agent and no cost. The answer is kept: a resumed run sees what the first one saw.";

export const PALLIUM_CALLS: readonly PalliumCall[] = [
  {
    call: 'verify(tier = "fast", options?)',
    description:
      "Runs the tests and checks that concern what changed, and puts them on record; the tier is fast, safe or full.",
    returns:
      "A promise of { tier, command, exit_code, output, results, not_run, changed_files, duration_ms, run }. A command that fails does not reject: look at exit_code.",
    example:
      'const { exit_code, results } = await pallium.verify("fast", { keepGoing: true });\nif (exit_code !== 0) log(results.flatMap(({ failures }) => failures));',
    notes: [
      "Options: base, command, keep_going, dry_run, timeout_seconds (of each command).",
      "Needs an index: pallium index. Ends with its processes when the run is stopped or paused.",
      KEPT,
    ],
  },
  {
    call: "review(base?, options?)",
    description:
      "Looks at the change since a base: risky files, missing partners and tests, secrets, what lies outside of the task.",
    returns: "A promise of the review: changed_files, missing_partners, untested, secrets, task.",
    example: 'const { missing_partners } = await pallium.review("main");\nreturn missing_partners;',
    notes: ["Options: base, staged.", AS_COMMAND, KEPT],
  },
  {
    call: "handoff(base?, options?)",
    description: "Sums up the change since a base for whoever goes on with it.",
    returns: "A promise of the handoff: document (Markdown), review, commits, next_actions.",
    example: 'return (await pallium.handoff("HEAD~1")).document;',
    notes: ["Option: base.", AS_COMMAND, KEPT],
  },
  {
    call: "changedNow()",
    description: "What is changed in the working tree, and what to test for it first.",
    returns: "A promise of the changed files with their risks and tests.",
    example: "return (await pallium.changedNow()).files;",
    notes: [AS_COMMAND, KEPT],
  },
  {
    call: "preflight(task, ...scopes)",
    description: "Gathers what to know before a task: files to look at, risks, tests.",
    returns: "A promise of the preflight: scope_paths, files_to_inspect, test_commands and more.",
    example:
      'const before = await pallium.preflight("tighten auth", "src/auth");\nreturn before.files_to_inspect;',
    notes: ["Does without an index, and then knows less.", KEPT],
  },
  {
    call: "decisions.record(title, body, ...tags)",
    description:
      "Keeps a decision where later runs find it, and whoever asks pallium decisions in that repository.",
    returns: "A promise of { id, run_id, title, body?, tags?, created_at }.",
    example: 'await pallium.decisions.record("Use SQLite", "One file, no server.", "storage");',
    notes: ["The same decision is kept once per run.", KEPT],
  },
  {
    call: "decisions.search(query, limit = 10)",
    description:
      "Finds recorded decisions of all runs: those that hold every word of the query in title, body or tags.",
    returns: "A promise of the decisions, the newest first; all for an empty query.",
    example: 'return await pallium.decisions.search("storage", 5);',
    notes: ["Every character of a word stands for itself: there are no wildcards.", KEPT],
  },
  {
    call: "explain(path)",
    description: "Explains one file: its history, what changes with it, who knows it.",
    returns: "A promise of the explanation.",
    example: 'return await pallium.explain("README.md");',
    notes: ["Needs an index: pallium index.", AS_COMMAND, KEPT],
  },
  {
    call: "safe(path)",
    description: "Whether a file can be edited alone, and what to check after it.",
    returns: "A promise of the report: verdict, required_checks, blast_radius and more.",
    example: 'return (await pallium.safe("src/main.ts")).verdict;',
    notes: ["Needs an index: pallium index.", AS_COMMAND, KEPT],
  },
  {
    call: "plan(path)",
    description: "In which steps to change a file, what to read first and what to run after.",
    returns: "A promise of the plan: steps, files_to_inspect, tests_to_run and more.",
    example: 'return (await pallium.plan("src/main.ts")).steps;',
    notes: ["Needs an index: pallium index.", AS_COMMAND, KEPT],
  },
  {
    call: "task.start(goal, ...scopes, options?)",
    description: "Declares the task and its scope, which later reviews compare with.",
    returns: "A promise of the task.",
    example: 'await pallium.task.start("tighten auth", "src/auth", { expires: "2h" });',
    notes: ["Options: expires.", "Needs an index: pallium index.", KEPT],
  },
  {
    call: "task.show()",
    description: "The declared task.",
    returns: "A promise of the task.",
    example: "return await pallium.task.show();",
    notes: ["Needs an index: pallium index.", KEPT],
  },
  {
    call: "task.clear()",
    description: "Ends the declared task.",
    returns: 'A promise of { status: "cleared" }.',
    example: "await pallium.task.clear();",
    notes: ["Needs an index: pallium index.", KEPT],
  },
];
