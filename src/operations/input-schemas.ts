/** zod schemas of what operations take. Loaded by servers and tests, never by a command. */
import { z } from "zod";
import { EVENT_TYPES } from "../workflow/run/types.ts";
import { SERVICE_MANAGERS, WATCH_KINDS } from "../workflow/triggers/types.ts";
import type { Operation } from "./operation.ts";
import { repoInputs } from "./repo-inputs.ts";
import { keepingInputs } from "./session-keeping-schemas.ts";
import { sessionInputs } from "./session-schemas.ts";
import type { OperationName, operations } from "./table.ts";

type InputOf<Name extends OperationName> =
  (typeof operations)[Name] extends Operation<infer Input, infer _Output> ? Input : never;

/** Every field of a request has a schema, those that may be left out too. */
type Fields<Request> = { readonly [Key in keyof Request]-?: z.ZodType<Request[Key] | undefined> };

const text = z.string().optional();
const flag = z.boolean().optional();
const count = z.int().min(0).optional();
const atLeastOne = z.int().min(1).optional();

const store = { db: text.describe("path of the store; the user's own without") };
const runId = { ...store, id: z.string() };

const limits = {
  codex: text.describe("name or path of the codex program"),
  max_agents: z.int().optional().describe("over the life of the run; 0 or less is the default"),
  max_concurrent_agents: z.int().optional().describe("0 or less is the default"),
  max_budget_usd: text.describe("decimal US dollars; 0 allows no paid agent"),
  max_tokens: count.describe("input and output; 0 allows none"),
  retries: count.describe("of a call whose provider was busy"),
  provider_concurrency: text.describe("such as codex=4,claude=2"),
  fallback: text.describe("providers that stand in, such as codex,claude"),
  resume_after_quota: flag,
  agent_timeout: count.describe("seconds; 0 for no limit"),
  allow_network: flag,
  include_dirty: flag,
  links: text.describe("folders of the checkout that working trees get a link to"),
  strict: flag,
  max_depth: atLeastOne,
  script_stall: atLeastOne.describe("seconds"),
  script_memory: atLeastOne.describe("MiB"),
  message_limit: atLeastOne.describe("MiB"),
  log_line_limit: atLeastOne.describe("KiB"),
  output_limit: atLeastOne.describe("MiB"),
  notify: text.describe("command line that is run when the run ends or waits for a person"),
  max_duration: atLeastOne.describe("seconds"),
};

const run: Fields<InputOf<"workflow.run">> = {
  ...store,
  ...limits,
  id: text,
  task: text,
  cwd: text,
  script: text.describe("path; exclusive with workflow"),
  workflow: text.describe("name of a saved workflow"),
  args: text.describe("JSON text"),
  max_active_runs: z.int().optional().describe("0 or less for no limit"),
  loop_name: text,
  record: text.describe("folder to record what agents answer in"),
  replay: text.describe("folder of recordings that answer in the place of agents"),
};
const resume: Fields<InputOf<"workflow.resume">> = { ...runId, ...limits };
const plan: Fields<InputOf<"workflow.plan">> = { ...runId, script: text };
const oneRun: Fields<InputOf<"workflow.show">> = runId;
const pause: Fields<InputOf<"workflow.pause">> = { ...runId, drain: flag };
const stop: Fields<InputOf<"workflow.stop">> = {
  ...runId,
  agent: text.describe("id or label of the only agent to stop"),
};
const list: Fields<InputOf<"workflow.list">> = { ...store, limit: z.int().min(1) };
const report: Fields<InputOf<"workflow.report">> = { ...runId, related: flag };
const overview: Fields<InputOf<"workflow.fleet">> = list;
const events: Fields<InputOf<"workflow.events">> = {
  ...runId,
  after: count,
  types: z.array(z.enum(EVENT_TYPES)).optional(),
  full: flag,
  follow: flag.describe("go on with what is put on record, until the run ends"),
};
const watch: Fields<InputOf<"workflow.watch">> = {
  ...runId,
  interval_ms: count.describe("fewest milliseconds from one frame to the next"),
};
const logs: Fields<InputOf<"workflow.logs">> = {
  ...runId,
  agent: text.describe("id or label of the only agents whose output is wanted"),
  follow: flag.describe("go on with what is printed, until the run ends"),
};
const gate: Fields<InputOf<"workflow.gate.approve">> = {
  ...runId,
  name: text.describe("may be left out where only one gate can be meant"),
  gate: text.describe("id of the gate, where several have the name"),
  reason: text,
};
const triggerAdd: Fields<InputOf<"workflow.trigger.add">> = {
  ...store,
  name: z.string(),
  task: z.string().describe("may be empty where a workflow or a script is named"),
  cwd: text,
  kind: text.describe("manual, on-changed, on-commit, interval or cron"),
  workflow: text.describe("name of a saved workflow; exclusive with script"),
  script: text.describe("path"),
  args: text.describe("JSON text"),
  disabled: flag,
  every: text.describe("length of time between runs, such as 15m"),
  cron: text.describe("five fields, such as 0 9 * * 1-5"),
  tz: text.describe("IANA name of the time zone that the pattern is in"),
  paths: z
    .array(z.string())
    .optional()
    .describe("patterns as in .gitignore that narrow on-changed"),
};
const trigger: Fields<InputOf<"workflow.trigger.show">> = { ...store, name: z.string() };
const triggerRun: Fields<InputOf<"workflow.trigger.run">> = {
  ...store,
  name: z.string(),
  id: text.describe("of the run"),
  allow_network: flag,
  background: flag,
};
const triggerWatch: Fields<InputOf<"workflow.trigger.watch">> = {
  ...store,
  kind: z.enum(WATCH_KINDS).optional(),
  interval: text.describe("length of time between looks, such as 30s"),
  once: flag,
  background: flag,
};
const triggerInstall: Fields<InputOf<"workflow.trigger.install">> = {
  ...store,
  as: z.enum(SERVICE_MANAGERS).optional(),
  kind: z.enum(WATCH_KINDS).optional(),
  interval: text.describe("length of time between looks, such as 30s; not for cron"),
  print: flag.describe("only say what would be written"),
  uninstall: flag,
};
const apply: Fields<InputOf<"workflow.apply">> = {
  ...runId,
  branch: text.describe("name of a new branch to commit to; checkout and index stay as they are"),
  message: text.describe("of that commit; what the run was for without"),
};
const gc: Fields<InputOf<"workflow.gc">> = {
  ...store,
  older_than: count.describe("days since a run ended; what settings say without, 7 by default"),
  include_failed: flag.describe("failed and interrupted runs too"),
  max_size: text.describe("then the oldest that ended, until all have no more, such as 5G"),
  dry_run: flag.describe("only say what would be removed"),
  stale: flag.describe("first mark runs as interrupted whose runner died"),
  stale_after_minutes: z
    .int()
    .optional()
    .describe("how long a runner that cannot be seen from here is believed to live; 15 without"),
};
const deleteRun: Fields<InputOf<"workflow.delete">> = {
  ...runId,
  force: flag.describe("though edits of it are in no checkout"),
};
const exportRun: Fields<InputOf<"workflow.export">> = {
  ...runId,
  output: text.describe("file to write; named after the run without"),
  force: flag.describe("replace a file that is there"),
};
const importRun: Fields<InputOf<"workflow.import">> = {
  ...store,
  file: z.string().describe("that workflow export wrote"),
  id: text.describe("that the run gets here; the one it had without"),
};
const diff: Fields<InputOf<"workflow.diff">> = {
  ...runId,
  call: text.describe("id, key or label of the one call whose own patch is wanted"),
  applied: flag.describe("what was really done to files of the checkouts"),
  repo: text.describe("a path in the one repository that is wanted"),
};
const compare: Fields<InputOf<"workflow.compare">> = {
  ...store,
  before: z.string().describe("id of a run"),
  after: z.string().describe("id of another"),
};
const settings: Fields<InputOf<"settings">> = { cwd: text };
const trust: Fields<InputOf<"trust">> = {
  path: text.describe("a folder of the repository, or its settings file"),
};
const secrets: Fields<InputOf<"workflow.secrets">> = {
  ...store,
  subject: z.string().describe("id of a run, or path of a patch"),
  patch: text.describe("text of a patch that is neither"),
};
const audit: Fields<InputOf<"workflow.audit">> = {
  run_acceptance: flag.describe("also have the acceptance script try the program"),
};
const validate: Fields<InputOf<"workflow.validate">> = { path: z.string() };
const tools: Fields<InputOf<"workflow.tools">> = { kind: text };

const dryRun: Fields<InputOf<"workflow.dry-run">> = {
  ...store,
  subject: text.describe("path of a script, /name of a saved workflow, or a task"),
  script: text.describe("path of a script, whatever it is called"),
  workflow: text.describe("name of a saved workflow"),
  cwd: text,
  args: text.describe("JSON text"),
  max_budget_usd: text.describe("decimal number of US dollars"),
  max_calls: z.int().optional().describe("calls that are answered; 1000 without"),
  list_items: z.int().optional().describe("items of lists in stub answers; 1 without"),
};
const determinism: Fields<InputOf<"workflow.check-determinism">> = {
  ...dryRun,
  orders: z.int().optional().describe("orders of completion that are tried; 4 without"),
  seed: z.int().optional().describe("of the orders that are drawn; 1 without"),
};
const types: Fields<InputOf<"workflow.types">> = {
  output: text.describe("file to write; a relative one begins where pallium was started"),
  force: flag.describe("overwrite what is there, whatever it is"),
};

const generate: Fields<InputOf<"workflow.generate">> = {
  task: z.string(),
  cwd: text,
  output: text.describe("file to write; a relative one begins at cwd"),
  style: text.describe("auto, review, test-fix or research"),
  test_command: text,
  max_rounds: z.int().optional().describe("of fixes; below 1 for 3"),
  save: text.describe("name of a saved workflow to write; goes before output"),
  user: flag.describe("save it at home"),
  force: flag.describe("overwrite what is there"),
  llm: flag.describe("have the provider of agents write it"),
  codex: text.describe("name or path of the codex program"),
};
const save: Fields<InputOf<"workflow.save">> = {
  ...runId,
  name: z.string(),
  user: flag.describe("save it at home"),
  force: flag.describe("overwrite what is there"),
};
const library: Fields<InputOf<"workflow.library.list">> = {
  from: text.describe("a folder or a git repository; what comes with pallium without"),
  ref: text.describe("branch or tag of a git repository"),
};
const pack: Fields<InputOf<"workflow.library.show">> = {
  ...library,
  pack: z.string().describe("a name, or a folder or git repository with #name behind it"),
};
const install: Fields<InputOf<"workflow.library.install">> = {
  ...pack,
  name: text.describe("name to save it under; its own without"),
  cwd: text,
  force: flag.describe("overwrite what is there"),
};

/** The request of each operation. */
export const inputs: Readonly<Record<OperationName, z.ZodObject>> = {
  "workflow.run": z.strictObject(run),
  "workflow.resume": z.strictObject(resume),
  "workflow.run.background": z.strictObject(run),
  "workflow.resume.background": z.strictObject(resume),
  "workflow.plan": z.strictObject(plan),
  "workflow.pause": z.strictObject(pause),
  "workflow.stop": z.strictObject(stop),
  "workflow.list": z.strictObject(list),
  "workflow.status": z.strictObject(oneRun),
  "workflow.inspect": z.strictObject(oneRun),
  "workflow.show": z.strictObject(oneRun),
  "workflow.read": z.strictObject(oneRun),
  "workflow.report": z.strictObject(report),
  "workflow.analytics": z.strictObject(overview),
  "workflow.fleet": z.strictObject(overview),
  "workflow.events": z.strictObject(events),
  "workflow.watch": z.strictObject(watch),
  "workflow.logs": z.strictObject(logs),
  "workflow.gate.list": z.strictObject(oneRun),
  "workflow.gate.approve": z.strictObject(gate),
  "workflow.gate.reject": z.strictObject(gate),
  "workflow.gate.reopen": z.strictObject(gate),
  "workflow.trigger.add": z.strictObject(triggerAdd),
  "workflow.trigger.list": z.strictObject(store),
  "workflow.trigger.show": z.strictObject(trigger),
  "workflow.trigger.enable": z.strictObject(trigger),
  "workflow.trigger.disable": z.strictObject(trigger),
  "workflow.trigger.delete": z.strictObject(trigger),
  "workflow.trigger.run": z.strictObject(triggerRun),
  "workflow.trigger.watch": z.strictObject(triggerWatch),
  "workflow.trigger.install": z.strictObject(triggerInstall),
  "workflow.apply": z.strictObject(apply),
  "workflow.revert": z.strictObject(oneRun),
  "workflow.gc": z.strictObject(gc),
  "workflow.delete": z.strictObject(deleteRun),
  "workflow.export": z.strictObject(exportRun),
  "workflow.import": z.strictObject(importRun),
  "workflow.diff": z.strictObject(diff),
  "workflow.compare": z.strictObject(compare),
  "workflow.secrets": z.strictObject(secrets),
  "workflow.audit": z.strictObject(audit),
  "workflow.validate": z.strictObject(validate),
  "workflow.tools": z.strictObject(tools),
  "workflow.dry-run": z.strictObject(dryRun),
  "workflow.check-determinism": z.strictObject(determinism),
  "workflow.types": z.strictObject(types),
  "workflow.generate": z.strictObject(generate),
  "workflow.save": z.strictObject(save),
  "workflow.template.list": z.strictObject({}),
  "workflow.template.show": z.strictObject({ name: z.string() }),
  "workflow.library.list": z.strictObject(library),
  "workflow.library.show": z.strictObject(pack),
  "workflow.library.install": z.strictObject(install),
  settings: z.strictObject(settings),
  trust: z.strictObject(trust),
  "trust.list": z.strictObject({}),
  "trust.revoke": z.strictObject(trust),
  ...repoInputs,
  ...sessionInputs,
  ...keepingInputs,
};
