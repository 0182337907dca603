/** What each option means, for the types that authors see. Held to the tables that the calls are read by. */
import type {
  AGENT_OPTIONS,
  CHECK_OPTIONS,
  GATE_OPTIONS,
  HANDOFF_OPTIONS,
  REVIEW_OPTIONS,
  TASK_OPTIONS,
  UNTIL_GREEN_OPTIONS,
  VERIFY_OPTIONS,
} from "../../calls/option-specs.ts";

type Docs<Spec> = Readonly<Record<keyof Spec, string>>;

const PROVIDER = "`codex`, `claude` or a configured command; left out: the default of the run.";
const MODEL = "Passed to the provider.";
const SECONDS = "For this call, in whole seconds; 0 for no limit.";
const BASE = "Branch, tag or commit to compare with.";

export const AGENT_DOCS: Docs<typeof AGENT_OPTIONS> = {
  label: "Name in reports; keep it stable, it is part of what a resumed run knows the call by.",
  provider: PROVIDER,
  repo: "Another repository to work in; a relative path begins at the run's directory.",
  mode: "`read-only` (the default); `test` or `check`, which may run things but change no file of the checkout; `edit`, in a working tree of its own.",
  isolation:
    "`worktree`: a working tree of its own whatever the mode; what was done there is kept.",
  schema: "JSON Schema (2020-12) that the answer must match.",
  model: MODEL,
  timeout_seconds: SECONDS,
  network: "Ask for network, which the run must allow: `--allow-network`.",
  phase: "Put this one call under another phase.",
  agent_type: "Accepted so that scripts of other tools run; has no effect.",
  effort: "How hard the model is to think, in the words of the provider.",
  include_ignored:
    "Patterns, as in `.gitignore`, of ignored files that count as the work of an agent that edits.",
};

export const CHECK_DOCS: Docs<typeof CHECK_OPTIONS> = {
  label: "Name in reports; `check: <command>` without.",
  provider: "Have this provider run the command, in the place of the run itself.",
  model: "Passed to the provider; of no effect without one.",
  schema: "JSON Schema of the provider's answer; of no effect without one.",
  timeout_seconds: SECONDS,
};

export const GATE_DOCS: Docs<typeof GATE_OPTIONS> = {
  label: "Name in reports; `gate-<name>` without.",
  provider: PROVIDER,
  model: MODEL,
  mode: "`read-only` (the default), or `test` to let the agent run things.",
  criteria: "What must hold for an approval.",
  fail_on_deny: "`false`: a denial is returned, and does not reject.",
  manual: "`true`: a person decides, with `pallium workflow gate approve` or `reject`.",
  timeout_seconds: SECONDS,
};

export const UNTIL_GREEN_DOCS: Docs<typeof UNTIL_GREEN_OPTIONS> = {
  max_rounds: "Most fixes; 3 without.",
  label: "What the labels of its calls begin with; `until-green` without.",
  provider: PROVIDER,
  model: MODEL,
  fix_model: "Model of the agents that fix; `model` without.",
  effort: "How hard the model that fixes is to think, in the words of the provider.",
  apply: "`green` (the default), or `always` to keep fixes that do not make the command pass.",
};

export const VERIFY_DOCS: Docs<typeof VERIFY_OPTIONS> = {
  tier: "`fast` (the default), `safe` or `full`; the first argument goes before it.",
  base: BASE,
  command: "Run this command in the place of the planned ones.",
  timeout_seconds: "Of each command, in whole seconds; 0 for no limit.",
  keep_going: "Run what is left after a command failed.",
  dry_run: "Only say what would be run.",
};
export const REVIEW_DOCS: Docs<typeof REVIEW_OPTIONS> = {
  base: BASE,
  staged: "Only what is staged.",
};
export const HANDOFF_DOCS: Docs<typeof HANDOFF_OPTIONS> = { base: BASE };
export const TASK_DOCS: Docs<typeof TASK_OPTIONS> = {
  expires: "When the task ends by itself, such as `2h`.",
};
