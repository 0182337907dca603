/** zod schemas of what the operations of session memory take and return. */
import { z } from "zod";
import { count, recalled, texts, time, timeOrEmpty } from "./fields.ts";
import { whyReport } from "./why-schema.ts";

const text = z.string().optional();
export const store = { db: text.describe("path of the store; the user's own without") };
const limit = { limit: z.int().min(1) };
export const filter = {
  provider: z.enum(["codex", "claude"]).optional(),
  machine: text,
  repo: text.describe("a folder; sessions that worked in it or below it"),
  file: text.describe("end of the path of a file that the session touched"),
  tool: text.describe("name of a tool that the session used"),
  since: text.describe("a date, or a time ago such as 7d; sessions that were written since"),
};
const live = z.strictObject({
  all: z.boolean().optional().describe("inactive sessions of the last days too"),
});
const said = {
  role: text.describe("only what this one said: user, assistant or tool"),
  context: z.int().min(0).optional().describe("messages to give before and after each hit"),
};
const model = text.describe("a model of embeddings; PALLIUM_EMBED_MODEL without");
const full = { full: z.boolean().optional().describe("whole texts and lists") };

export const sessionInputs = {
  "sessions.index": z.strictObject({
    ...store,
    provider: z.enum(["codex", "claude", "all"]).optional(),
    codex_home: text,
    claude_home: text,
    include: z.array(z.string()).optional().describe("files and folders besides"),
    machine: text.describe("name of the computer that the transcripts are of"),
    safety_buffer: text.describe("a time such as 30m; what was written within it is left alone"),
    since: text.describe("a time such as 7d; only what was written within it"),
    force: z.boolean().optional(),
  }),
  "sessions.list": z.strictObject({ ...store, ...filter, ...limit, ...full }),
  "sessions.search": z.strictObject({
    ...store,
    ...filter,
    ...limit,
    ...full,
    ...said,
    words: z.array(z.string()),
    hybrid: z.boolean().optional().describe("by vectors too"),
    model,
  }),
  "sessions.semantic": z.strictObject({
    ...store,
    ...filter,
    ...limit,
    words: z.array(z.string()),
    model,
  }),
  "sessions.embed": z.strictObject({
    ...store,
    ...limit,
    session: text.describe("id of one session, or a part of it"),
    model,
    batch_size: z.int().min(1).max(2048).describe("pieces that are sent together"),
    yes: z.boolean().optional().describe("text may leave this computer"),
    anew: z.boolean().optional().describe("make every vector of the model again"),
  }),
  "sessions.grep": z.strictObject({
    ...store,
    ...filter,
    ...limit,
    text: z.string(),
    ignore_case: z.boolean().optional(),
    ...said,
  }),
  "sessions.related": z.strictObject({
    ...store,
    path: text.describe("a folder of the repository; where the user stands without"),
    files: z.array(z.string()).optional().describe("in the repository, or absolute"),
    provider: filter.provider,
    machine: filter.machine,
    since: filter.since,
    ...limit,
    ...full,
  }),
  "sessions.why": z.strictObject({
    ...store,
    place: z.string().describe("a file, or one line of it as file:line"),
    ...limit,
    ...full,
  }),
  "sessions.show": z.strictObject({
    ...store,
    id: z.string(),
    transcript: z.boolean().optional(),
  }),
  "sessions.stats": z.strictObject(store),
  "sessions.live": live,
  "sessions.watch": live,
};

const session = {
  id: z.string(),
  machine: z.string(),
  title: z.string(),
  first_user_message: z.string(),
  last_agent_message: z.string(),
  cwd: z.string(),
  source: z.string(),
  model_provider: z.string(),
  model: z.string(),
  cli_version: z.string(),
  git_branch: z.string(),
  git_origin_url: z.string(),
  created_at: timeOrEmpty,
  updated_at: timeOrEmpty,
  tokens_used: count,
  status: z.string(),
  rollout_path: z.string(),
  rollout_sha256: z.string().describe("empty in lists, and where the transcript is gone"),
  files_touched: texts,
  commands: texts,
  tool_names: texts,
  errors: texts,
  provider: z.enum(["codex", "claude"]),
  parent_id: z.string(),
  forked_from: z.string(),
};
const workflow = z
  .strictObject({ run_id: z.string(), call_id: z.string(), label: z.string() })
  .optional()
  .describe("the call of a workflow that it was for; in lists with full only");
const recalledSession = z.strictObject({ ...session, recalled });

export const relatedSession = recalledSession.extend({
  score: count,
  signals: texts.describe("what the score is for: same-run, same-cwd, file-touch:<file> and so on"),
});

const liveSession = z.strictObject({
  provider: z.enum(["codex", "claude"]),
  status: z.enum(["active", "inactive"]).describe("active while a process has it"),
  pid: z.int().min(1).optional(),
  tty: text,
  age_seconds: count.optional().describe("of the process"),
  thread_id: text.describe("absent while the agent has not said which session it works in"),
  title: z.string(),
  first_user_message: text,
  session_cwd: text.describe("where the session began"),
  effective_workdir: text.describe("where it worked last, if elsewhere"),
  git_branch: text,
  git_origin_url: text,
  recent_action: text.describe("the tool that it used last, and for what"),
  last_active_at: time,
  recalled,
});

const liveReport = z.strictObject({
  generated_at: time,
  host: z.string(),
  sessions: z.array(liveSession),
});

const place = {
  line_no: count,
  role: z.string(),
  kind: z.string(),
  timestamp: timeOrEmpty,
};

const nearby = z.array(z.strictObject({ ...place, snippet: z.string() })).optional();
const hit = {
  ...place,
  snippet: z.string(),
  matches: z
    .array(z.tuple([count, count]))
    .describe("what was asked for in the snippet: beginning and end of each place, in characters"),
  before: nearby.describe("only where context was asked for"),
  after: nearby,
};

export const sessionOutputs = {
  "sessions.index": z.strictObject({
    indexed: count,
    unchanged: count,
    active: count,
    left_out: count.describe("of sessions that were forgotten, or pruned and not written since"),
    duplicates: count,
    malformed: count,
    bytes: count,
  }),
  "sessions.list": z.array(recalledSession.extend({ workflow })),
  "sessions.search": z.array(
    recalledSession.extend({
      rank: z.number().describe("the smaller the better"),
      hits: z.array(z.strictObject(hit)),
      score: z.number().optional().describe("with hybrid; the larger the better"),
      signals: texts.optional().describe("with hybrid; places in lists, such as lexical:1"),
    }),
  ),
  "sessions.semantic": z.array(
    z.strictObject({
      score: z.number().describe("cosine, from -1 to 1"),
      session_id: z.string(),
      chunk_id: z.string(),
      kind: z.enum(["overview", "transcript"]),
      line_no: count,
      title: z.string(),
      cwd: z.string(),
      updated_at: timeOrEmpty,
      snippet: z.string(),
      recalled,
    }),
  ),
  "sessions.embed": z.strictObject({
    embedded: count,
    model: z.string(),
    session_id: z.string().optional().describe("as it was given"),
  }),
  "sessions.grep": z.array(
    z.strictObject({ session_id: z.string(), ...hit, title: z.string(), recalled }),
  ),
  "sessions.related": z.array(relatedSession),
  "sessions.why": whyReport,
  "sessions.show": z.strictObject({
    recalled: recalled.describe("about all of it"),
    session: z.strictObject({ ...session, workflow }),
    messages: z.array(z.strictObject({ ...place, text: z.string() })),
    helpers: texts,
  }),
  "sessions.stats": z.strictObject({
    sessions: count,
    events: count,
    messages: count,
    chunks: count,
    embeddings: count,
    models: z.array(z.strictObject({ provider: z.string(), model: z.string(), dim: count, count })),
    by_provider: z.record(z.string(), count),
    tokens: count,
    malformed_lines: count,
    unknown_records: count,
  }),
  "sessions.live": liveReport,
  "sessions.watch": liveReport,
};
