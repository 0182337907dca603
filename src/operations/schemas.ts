/** zod schemas of what operations return. Loaded by `help --json`, servers and tests, never by a read command. */
import { z } from "zod";
import type { Json } from "../lib/json.ts";
import { CALL_OUTCOMES } from "../providers/contract.ts";
import { SKIP_REASONS } from "../secrets/finding.ts";
import {
  AGENT_STATUSES,
  APPLY_STATES,
  COST_SOURCES,
  EVENT_TYPES,
  RUN_ORIGINS,
  RUN_STATUSES,
} from "../workflow/run/types.ts";
import { archiveOutputs } from "./archive-schemas.ts";
import { auditReport } from "./audit-schema.ts";
import { authoringOutputs } from "./authoring-schemas.ts";
import { runComparison } from "./comparison-schema.ts";
import { repoDiff } from "./diff-schema.ts";
import { agentCounts, count, time } from "./fields.ts";
import { collectReport } from "./gc-schema.ts";
import { liveOutputs } from "./live-schemas.ts";
import { overviewOutputs } from "./overview-schemas.ts";
import { rehearsalOutputs } from "./rehearsal-schemas.ts";
import { repoOutputs } from "./repo-schemas.ts";
import { keepingOutputs } from "./session-keeping-schemas.ts";
import { sessionOutputs } from "./session-schemas.ts";
import { settingsOutputs } from "./settings-schemas.ts";
import type { OperationName } from "./table.ts";
import { triggerOutputs } from "./trigger-schemas.ts";

const agentStatus = z.enum(AGENT_STATUSES);
const runStatus = z.enum(RUN_STATUSES);
const outcome = z.enum(CALL_OUTCOMES);

const failure = z.strictObject({
  label: z.string().optional(),
  phase: z.string().optional(),
  error: z.string(),
});

const run = z.strictObject({
  id: z.string(),
  task: z.string(),
  cwd: z.string(),
  script_path: z.string(),
  args_json: z.string().optional(),
  max_agents: count.optional(),
  max_budget_usd: z.string().optional().describe("decimal US dollars"),
  max_tokens: count.optional(),
  agent_timeout_seconds: count.optional(),
  agent_timeout_explicit: z.boolean().optional(),
  max_concurrent_agents: count.optional(),
  allow_network: z.boolean().optional(),
  include_dirty: z.boolean().optional(),
  links: z.string().optional(),
  record: z.string().optional(),
  replay: z.string().optional(),
  strict: z.boolean().optional(),
  status: runStatus,
  result: z.string().optional(),
  error: z.string().optional(),
  error_code: z.string().optional(),
  resume_after: time.optional(),
  failures: z.array(failure).optional(),
  script_hash: z.string().optional(),
  script_changed: z.boolean().optional(),
  loop_name: z.string().optional(),
  owned_session_id: z.string().optional(),
  owner_pid: z.int().optional(),
  heartbeat_at: time.optional(),
  created_at: time,
  updated_at: time,
  completed_at: time.optional(),
  collected_at: time.optional().describe("when workflow gc gave up its files"),
  origin: z.enum(RUN_ORIGINS).optional().describe("where it comes from, if it was not made here"),
});

const phase = z.strictObject({
  id: z.string(),
  run_id: z.string(),
  name: z.string(),
  status: z.enum(["running", "completed"]),
  agent_count: count,
  created_at: time,
  updated_at: time,
  completed_at: time.optional(),
});

const receipt = z.strictObject({
  root: z.string(),
  base_commit: z.string(),
  from_tree: z.string(),
  to_tree: z.string(),
  worktree: z.string().optional(),
  patch: z.string(),
  patch_sha256: z.string(),
  files: z.array(
    z.strictObject({ path: z.string(), change: z.enum(["added", "modified", "deleted"]) }),
  ),
  skipped: z.array(z.string()).describe("paths that no patch can hold"),
  secrets: z.array(
    z.strictObject({ rule: z.string(), file: z.string(), line: count, column: count }),
  ),
  seen: z.array(z.string()).describe("calls whose edits the worker saw"),
  checkout_changed: z
    .array(z.string())
    .optional()
    .describe("tracked files of the checkout that changed while the worker was at work"),
  conflicts: z.array(z.string()).optional(),
});

const agent = z.strictObject({
  id: z.string(),
  run_id: z.string(),
  call_index: z.int().min(1),
  phase: z.string().optional(),
  label: z.string().optional(),
  prompt: z.string(),
  provider: z.string(),
  repo: z.string().optional(),
  mode: z.string(),
  isolation: z.string().optional(),
  model: z.string().optional(),
  schema_hash: z.string().optional(),
  script_hash: z.string().optional(),
  args_hash: z.string().optional(),
  estimated_cost_usd: z.number().optional(),
  cost_source: z.enum(COST_SOURCES).optional(),
  input_tokens: count.optional(),
  output_tokens: count.optional(),
  attempts: count.optional(),
  session_id: z.string().optional().describe("of its provider's own program"),
  usage_json: z.string().optional(),
  status: agentStatus,
  outcome: outcome.optional(),
  output: z.string().optional(),
  error: z.string().optional(),
  networked: z.boolean().optional(),
  patch_path: z.string().optional(),
  worktree: z.string().optional(),
  apply_state: z.enum(APPLY_STATES).optional(),
  receipt: receipt.optional(),
  superseded: z.boolean().optional().describe("a later attempt at the same call stands for it"),
  created_at: time,
  updated_at: time,
  completed_at: time.optional(),
});

const snapshot = z.strictObject({ run, phases: z.array(phase), agents: z.array(agent) });

const status = z.strictObject({
  id: z.string(),
  task: z.string(),
  status: runStatus,
  verdict: z.string(),
  phases_total: count,
  phases_completed: count,
  agents_total: count,
  ...agentCounts,
  outcomes: z.partialRecord(outcome, count),
  dropped: count,
  script_changed: z.boolean().optional(),
  updated_at: time,
  completed_at: time.optional(),
  collected_at: time.optional(),
  error: z.string().optional(),
});

const inspection = z.strictObject({
  status,
  script_path: z.string(),
  result: z.string().optional(),
  failures: z.array(failure),
  phases: z.array(phase),
  agents: z.array(agent),
  patches: z.array(z.string()),
  failed_agents: z.array(agent),
  by_phase: z.record(z.string(), z.strictObject(agentCounts)),
});

const diagnostic = z.strictObject({
  code: z.string(),
  message: z.string(),
  line: z.int(),
  column: z.int(),
});

const tool = z.strictObject({
  name: z.string(),
  signature: z.string(),
  kind: z.enum(["control", "agent", "verification", "pallium"]),
  description: z.string(),
  returns: z.string(),
  example: z.string(),
  notes: z.array(z.string()).optional(),
});

const ended = z.strictObject({ id: z.string(), status: runStatus, unchanged: z.boolean() });
const stoppedCall = z.strictObject({
  ...ended.shape,
  agent: z.string().describe("id of the agent"),
  agent_status: agentStatus,
});

const gate = z.strictObject({
  id: z.string(),
  run_id: z.string(),
  name: z.string(),
  message: z.string().optional(),
  status: z.enum(["open", "approved", "rejected"]),
  manual: z.boolean().describe("whether a person decides it"),
  call_id: z.string().describe("the call that decides or decided it"),
  reason: z.string().optional(),
  opened_at: time,
  approved_at: time.optional().describe("when it was decided, whichever way"),
});

const decidedGate = gate.extend({
  awaited: z.boolean().describe("a runner waits for it; otherwise the next resume takes it up"),
});

const plan = z.strictObject({
  id: z.string(),
  script_changed: z.boolean(),
  calls: z.array(
    z.strictObject({
      scope: z.string(),
      label: z.string(),
      prompt_preview: z.string(),
      result: z.enum(["hit", "adopt", "miss"]),
      reason: z.string().optional(),
    }),
  ),
  not_reached: z.array(z.strictObject({ label: z.string(), scope: z.string() })),
  hits: count,
  adopts: count,
  misses: count,
  error: z.string().optional().describe("why the script would fail"),
});

/** What else a record holds depends on its type. */
const event = z.looseObject({
  seq: z.int().min(1),
  type: z.enum(EVENT_TYPES),
  at: time,
  fence: z.int().min(1),
});

const secrets = z.strictObject({
  findings: z.array(
    z.strictObject({
      rule: z.string(),
      file: z.string(),
      line: z.int().min(1).describe("of the new file"),
      column: z.int().min(1),
    }),
  ),
  skipped: z.array(z.strictObject({ file: z.string(), reason: z.enum(SKIP_REASONS) })),
});

const backgroundRun = z.strictObject({
  id: z.string(),
  owned_session_id: z.string(),
  status: z.literal("background"),
});

/** The JSON document of each operation, or one line of those that stream. */
export const outputs: Readonly<Record<OperationName, z.ZodType>> = {
  "workflow.run": snapshot,
  "workflow.resume": snapshot,
  "workflow.run.background": backgroundRun,
  "workflow.resume.background": backgroundRun,
  "workflow.plan": plan,
  "workflow.pause": ended,
  "workflow.stop": z.union([ended, stoppedCall]),
  "workflow.list": z.array(run),
  "workflow.status": status,
  "workflow.inspect": inspection,
  "workflow.show": snapshot,
  "workflow.read": z.strictObject({
    id: z.string(),
    result: z.string(),
    error: z.string(),
    failures: z.array(failure),
  }),
  ...overviewOutputs({ run, status, failure, agentStatus }),
  "workflow.events": event,
  ...liveOutputs,
  "workflow.gate.list": z.array(gate),
  "workflow.gate.approve": decidedGate,
  "workflow.gate.reject": decidedGate,
  "workflow.gate.reopen": decidedGate,
  "workflow.apply": z.strictObject({
    id: z.string(),
    branch: z.string().optional().describe("the new branch, where one was asked for"),
    commits: z
      .array(z.strictObject({ root: z.string(), commit: z.string() }))
      .optional()
      .describe("one for each repository that has the branch now"),
    applied: z.array(z.string()).describe("paths of patches"),
  }),
  "workflow.revert": z.strictObject({
    id: z.string(),
    reverted: z.array(z.string()).describe("paths of patches"),
  }),
  "workflow.gc": collectReport,
  "workflow.diff": z.array(repoDiff),
  "workflow.compare": runComparison,
  "workflow.secrets": secrets,
  "workflow.audit": auditReport,
  "workflow.validate": z.strictObject({
    valid: z.boolean(),
    code: z.string().optional(),
    error: z.string().optional(),
    line: z.int().optional(),
    column: z.int().optional(),
    hints: z.array(z.string()).optional(),
    warnings: z.array(z.string()).optional(),
    diagnostics: z.array(diagnostic).optional(),
  }),
  "workflow.tools": z.array(tool),
  ...archiveOutputs,
  ...authoringOutputs,
  ...rehearsalOutputs,
  ...triggerOutputs(snapshot, backgroundRun),
  ...settingsOutputs,
  ...repoOutputs,
  ...sessionOutputs,
  ...keepingOutputs,
};

/** The JSON Schema of what an operation returns. */
export function outputSchema(operation: string): Json {
  const schema = outputs[operation as OperationName];
  if (schema === undefined) throw new Error(`no operation is called ${operation}`);
  return z.toJSONSchema(schema) as Json;
}
