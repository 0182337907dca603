/** The part of the catalogue that reads repository memory and decisions; none is in this version. */
export interface PalliumCall {
  /** What stands behind `pallium.` in a script. */
  readonly call: string;
  readonly description: string;
  readonly returns: string;
  readonly example: string;
}

export const PALLIUM_CALLS: readonly PalliumCall[] = [
  {
    call: 'verify(tier = "fast")',
    description: "Runs the repository's own verification of one tier: fast, safe or full.",
    returns: "A promise of the recorded verification.",
    example: 'return await pallium.verify("fast");',
  },
  {
    call: "review(base?)",
    description: "Compares the change since a base with the task that was declared.",
    returns: "A promise of the review: what drifted, what is risky, what is missing.",
    example: 'return await pallium.review("main");',
  },
  {
    call: "handoff(base?)",
    description: "Sums up the change since a base for whoever goes on with it.",
    returns: "A promise of the handoff.",
    example: 'return await pallium.handoff("HEAD~1");',
  },
  {
    call: "changedNow()",
    description: "What is changed in the working tree, and what to test for it first.",
    returns: "A promise of the changed files with their risks and tests.",
    example: "return await pallium.changedNow();",
  },
  {
    call: "preflight(task, ...scopes)",
    description: "Gathers what to know before a task: files to look at, risks, tests.",
    returns: "A promise of the preflight, with files_to_inspect and test_commands.",
    example:
      'const before = await pallium.preflight("tighten auth", "src/auth");\nreturn before.files_to_inspect;',
  },
  {
    call: "decisions.record(title, body, ...tags)",
    description: "Keeps a decision where later runs and sessions find it.",
    returns: "A promise of the decision.",
    example: 'await pallium.decisions.record("Use SQLite", "One file, no server.", "storage");',
  },
  {
    call: "decisions.search(query, limit = 10)",
    description: "Finds recorded decisions by their words.",
    returns: "A promise of the decisions, best first.",
    example: 'return await pallium.decisions.search("storage", 5);',
  },
  {
    call: "explain(path)",
    description: "Explains one file: its history, what changes with it, who knows it.",
    returns: "A promise of the explanation.",
    example: 'return await pallium.explain("README.md");',
  },
  {
    call: "safe(path)",
    description: "How risky a file is to change, and what to check after it.",
    returns: "A promise of the safety report.",
    example: 'return await pallium.safe("src/main.ts");',
  },
  {
    call: "plan(path)",
    description: "In which steps to change a file.",
    returns: "A promise of the plan.",
    example: 'return await pallium.plan("src/main.ts");',
  },
  {
    call: "task.start(goal, ...scopes)",
    description: "Declares the task and its scope, which later reviews compare with.",
    returns: "A promise of the task.",
    example: 'await pallium.task.start("tighten auth", "src/auth");',
  },
  {
    call: "task.show()",
    description: "The declared task.",
    returns: "A promise of the task.",
    example: "return await pallium.task.show();",
  },
  {
    call: "task.clear()",
    description: "Ends the declared task.",
    returns: "A promise of nothing of interest.",
    example: "await pallium.task.clear();",
  },
];
