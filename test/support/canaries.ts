/**
 * Transcripts of both agents with secrets of every kind in every place that can carry text, each place
 * with secrets of its own, so that one which comes through says where it stood.
 */
import { type SeededSample, seededSamples } from "./secrets/corpus.ts";

export interface Canary {
  readonly kind: string;
  readonly place: string;
  readonly secret: string;
}

type Record_ = Readonly<Record<string, unknown>>;

/** Text with a secret in it, for a place of that name. */
type Planted = (place: string) => string;
/** A secret without lines around it, for places that hold a name. */
type Bare = (place: string) => string;

interface Planting {
  readonly id: string;
  /** When all of it was said. */
  readonly at: string;
  /** In which the agents worked. */
  readonly folder: string;
  readonly text: Planted;
  readonly bare: Bare;
}

const call = (name: string, input: unknown) => [{ type: "tool_use", id: `t-${name}`, name, input }];

function claudeRecords({ id, at, folder, text, bare }: Planting): readonly Record_[] {
  let uuid = 0;
  const said = (type: string, content: unknown, more: Record_ = {}) => ({
    type,
    sessionId: id,
    uuid: `${id}-${uuid++}`,
    timestamp: at,
    cwd: `${folder}/${bare("cwd")}`,
    gitBranch: bare("branch"),
    version: bare("version"),
    message: {
      id: bare("message id"),
      role: type,
      model: bare("model"),
      content,
      usage: { input_tokens: 3 },
    },
    ...more,
  });
  const result = (content: unknown) => [
    { type: "tool_result", tool_use_id: `t-${bare("call id")}`, is_error: true, content },
  ];
  return [
    said("user", text("user")),
    said("user", [{ type: "text", text: text("user, item") }]),
    said("assistant", [{ type: "text", text: text("assistant") }]),
    said("assistant", [{ type: "thinking", thinking: text("thinking") }]),
    said("assistant", call("Bash", { command: text("command") })),
    said(
      "assistant",
      call("mcp__x__y", { note: text("tool input"), deep: [{ a: text("deep input") }] }),
    ),
    said(
      "assistant",
      call("Edit", {
        file_path: `${folder}/a.ts`,
        old_string: text("old"),
        new_string: text("new"),
      }),
    ),
    said("assistant", call("Read", { file_path: `/x/${bare("path")}` })),
    said("assistant", call(bare("tool name"), { query: text("query") })),
    said("assistant", [
      { type: "tool_use", id: bare("tool id"), name: "Bash", input: { command: "ls" } },
    ]),
    said("user", result(text("output"))),
    said("user", result([{ type: "text", text: text("output, item") }])),
    said("user", result(`${"x ".repeat(235)}\n${text("output, cut")}`)),
    said("user", text("summary of what was"), { isCompactSummary: true }),
    { type: "custom-title", sessionId: id, customTitle: text("title") },
    { type: "agent-name", sessionId: id, agentName: text("agent name") },
    { type: "last-prompt", sessionId: id, lastPrompt: text("last prompt") },
    { type: "queue-operation", sessionId: id, content: text("queue") },
    {
      type: "attachment",
      sessionId: id,
      attachment: { name: text("attachment"), content: text("attached") },
    },
    { type: "system", sessionId: id, content: text("system") },
    { type: "telepathy", sessionId: id, thought: text("unknown record"), [bare("unknown key")]: 1 },
    { type: bare("unknown type"), sessionId: id, thought: 1 },
    { type: "long", sessionId: id, pad: "y ".repeat(9950), thought: text("unknown, cut") },
  ];
}

function codexRecords({ id, at, folder, text, bare }: Planting): readonly Record_[] {
  const line = (type: string, payload: Record_) => ({ timestamp: at, type, payload });
  const item = (payload: Record_) => line("response_item", payload);
  const event = (payload: Record_) => line("event_msg", payload);
  const output = (value: unknown, name = "c1") =>
    item({ type: "function_call_output", call_id: name, output: value });
  return [
    line("session_meta", {
      id,
      timestamp: at,
      cwd: `${folder}/${bare("cwd")}`,
      originator: bare("originator"),
      cli_version: bare("version"),
      model_provider: bare("model provider"),
      git: {
        branch: bare("branch"),
        repository_url: `https://dev:${bare("origin")}@git.example.org/x.git`,
      },
    }),
    line("turn_context", { cwd: folder, model: bare("model") }),
    event({ type: "user_message", message: text("user, event") }),
    item({ type: "message", role: "user", content: [{ type: "input_text", text: text("user") }] }),
    item({
      type: "message",
      role: "assistant",
      content: [{ type: "output_text", text: text("assistant") }],
    }),
    event({ type: "agent_message", message: text("assistant, event") }),
    item({ type: "reasoning", summary: [{ type: "summary_text", text: text("reasoning") }] }),
    item({
      type: "function_call",
      name: "exec_command",
      call_id: "c1",
      arguments: JSON.stringify({ cmd: text("command") }),
    }),
    item({
      type: "function_call",
      name: bare("tool name"),
      call_id: bare("call id"),
      arguments: JSON.stringify({
        body: text("tool input"),
        inner: JSON.stringify({ a: text("deep input") }),
      }),
    }),
    item({
      type: "local_shell_call",
      call_id: "c2",
      action: { command: ["bash", "-lc", text("shell")] },
    }),
    item({
      type: "custom_tool_call",
      name: "apply_patch",
      call_id: "c3",
      input: `*** Begin Patch\n*** Update File: ${bare("patched")}\n+${text("patch")}\n*** End Patch`,
    }),
    output(`Process exited with code 1\nOutput:\n${text("output")}`),
    output(JSON.stringify({ output: text("output, JSON"), metadata: { exit_code: 2 } })),
    output(`Process exited with code 1\n${"z ".repeat(220)}\n${text("output, cut")}`),
    event({ type: "patch_apply_end", changes: { [`/x/${bare("changed")}`]: {} } }),
    event({ type: "thread_name_updated", name: text("title") }),
    event({ type: "task_complete", last_agent_message: text("last message") }),
    event({ type: bare("event type"), value: text("event") }),
    line("compacted", { message: text("compacted") }),
    line("token_usage_record", { response_id: bare("response id"), usage: { total_tokens: 4 } }),
    line("telepathy", { thought: text("unknown record") }),
    line(bare("unknown type"), { thought: 1 }),
  ];
}

const PROVIDERS = {
  claude: { records: claudeRecords, path: (id: string) => `claude/projects/p/${id}.jsonl` },
  codex: {
    records: codexRecords,
    path: (id: string) => `codex/sessions/2026/12/01/rollout-2026-12-01T10-00-00-${id}.jsonl`,
  },
} as const;

/** Sessions of each agent; each place has as many kinds of secrets, and every kind is in some places. */
const SESSIONS = 45;
/** Kinds by which the next place is ahead of the last. */
const STEP = 7;

/**
 * Writes sessions of both agents.
 * @param write takes a path below the folder that holds both agents' homes, `codex` and `claude`.
 */
export async function plantCanaries(
  write: (path: string, text: string) => Promise<unknown>,
  where: { readonly at: string; readonly folder: string },
): Promise<readonly Canary[]> {
  const canaries: Canary[] = [];
  /** A seed for each place, so that no two have a secret in common. */
  const seeds = new Map<string, ReturnType<typeof seededSamples>>();
  for (const [provider, { records, path }] of Object.entries(PROVIDERS)) {
    for (let session = 0; session < SESSIONS; session += 1) {
      const id = `00000000-0000-4000-8000-${String(session).padStart(12, provider === "codex" ? "c" : "a")}`;
      const plant = (at: string, isWanted: (sample: SeededSample) => boolean): SeededSample => {
        const place = `${provider}: ${at}`;
        const samples =
          seeds.get(place) ?? rotated(seededSamples(100 + seeds.size), seeds.size * STEP);
        seeds.set(place, samples);
        const wanted = samples.filter(isWanted);
        const planted = wanted[session % wanted.length];
        if (planted === undefined) throw new Error(`there is nothing to plant at ${place}`);
        canaries.push({ kind: planted.kind, place, secret: planted.secret });
        return planted;
      };
      const text: Planted = (place) => plant(place, () => true).text;
      const bare: Bare = (place) => plant(place, hasForm).secret;
      const lines = records({ id, ...where, text, bare }).map((record) => JSON.stringify(record));
      await write(path(id), `${lines.join("\n")}\n`);
    }
  }
  return canaries;
}

/** What has no form of its own cannot be known without a name before it. */
function hasForm({ kind }: SeededSample): boolean {
  return kind.startsWith("token: ") && !kind.includes("SQL Server");
}

function rotated<T>(items: readonly T[], by: number): readonly T[] {
  const at = by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}

const WINDOW = 4;
/** What a secret begins with can be a word that others begin with too. */
const SAME_FOR_ALL = /SQL Server|webhook|Azure [Ss]/;

/**
 * What must be found nowhere of a secret: the second half of each of its lines, as it is and as formats
 * write it; where texts are cut also the first half, which then could stand alone.
 */
function needlesOf({ kind, place, secret }: Canary): readonly string[] {
  const mayBeHalf =
    place.includes(", cut") && kind.startsWith("token: ") && !SAME_FOR_ALL.test(kind);
  return secret
    .split("\n")
    .filter((line) => line.length >= 8)
    .flatMap((line) => {
      const half = Math.ceil(line.length / 2);
      return [line.slice(-half), ...(mayBeHalf ? [line.slice(0, Math.max(half, 16))] : [])];
    })
    .flatMap((part) => {
      const json = JSON.stringify(part).slice(1, -1);
      const html = part.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
      return [part, json, html, html.replaceAll("'", "&#39;")];
    });
}

export type FindCanaries = (bytes: Uint8Array | string) => readonly string[];

/** A function that names the canaries whose secrets are in bytes, by where they stood and their kind. */
export function canaryFinder(canaries: readonly Canary[]): FindCanaries {
  const needles = new Map<number, { readonly bytes: Buffer; readonly canary: Canary }[]>();
  for (const canary of canaries) {
    for (const needle of new Set(needlesOf(canary))) {
      const bytes = Buffer.from(needle);
      if (bytes.length < WINDOW) continue;
      const begin = bytes.readUInt32LE(0);
      const same = needles.get(begin) ?? [];
      same.push({ bytes, canary });
      needles.set(begin, same);
    }
  }
  return (text) => {
    const bytes = Buffer.from(text);
    const found = new Set<string>();
    for (let at = 0; at + WINDOW <= bytes.length; at += 1) {
      for (const { bytes: needle, canary } of needles.get(bytes.readUInt32LE(at)) ?? []) {
        if (bytes.subarray(at, at + needle.length).equals(needle)) {
          found.add(`${canary.place}: ${canary.kind}`);
        }
      }
    }
    return [...found];
  };
}
