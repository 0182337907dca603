/** zod schemas of the operations by which sessions are kept, given away and taken out of memory. */
import { z } from "zod";
import { count, texts, timeOrEmpty } from "./fields.ts";
import { filter, store } from "./session-schemas.ts";

export const keepingInputs = {
  "sessions.forget": z.strictObject({
    ...store,
    ids: z.array(z.string()),
    with_forks: z.boolean().optional().describe("sessions that began as copies of it, too"),
    confirmed: z
      .boolean()
      .optional()
      .describe(
        "without, a terminal is asked; where there is none it is only said what would be forgotten",
      ),
  }),
  "sessions.doctor": z.strictObject(store),
  "sessions.export": z.strictObject({
    ...store,
    ...filter,
    ids: texts.optional(),
    all: z.boolean().optional().describe("all that the filter lets through"),
    format: z.enum(["markdown", "json", "html"]).optional(),
    out: z.string().optional().describe("path of the file; the document is in the answer without"),
    force: z.boolean().optional().describe("whether the file may take the place of another"),
  }),
  "sessions.prune": z.strictObject({
    ...store,
    ...filter,
    gone: z.boolean().optional().describe("only sessions whose transcripts are gone"),
    older_than: z
      .string()
      .optional()
      .describe("a date, or a time ago such as 90d; only sessions that were not written since"),
    dry_run: z.boolean().optional(),
  }),
};

const named = z.strictObject({
  id: z.string(),
  provider: z.enum(["codex", "claude"]),
  machine: z.string(),
  title: z.string(),
  updated_at: timeOrEmpty,
  messages: count,
});

export const keepingOutputs = {
  "sessions.doctor": z.strictObject({
    path: z.string(),
    exists: z.boolean(),
    bytes: count,
    log_bytes: count,
    schema_version: count,
    newest_schema_version: count,
    sessions: count,
    messages: count,
    forgotten: count,
    transcripts: z.strictObject({
      known: count,
      gone: count,
      behind: count.describe("new, or written since they were read"),
      malformed_lines: count,
      unknown_records: count,
    }),
    homes: z.array(
      z.strictObject({
        provider: z.enum(["codex", "claude"]),
        path: z.string(),
        exists: z.boolean(),
        transcripts: count,
      }),
    ),
    embeddings: z.array(
      z.strictObject({ provider: z.string(), model: z.string(), backlog: count }),
    ),
    go_databases: z.array(
      z.strictObject({ path: z.string(), copied: z.boolean(), sessions: count }),
    ),
    healthy: z.boolean().describe("none of the findings is a problem"),
    findings: z.array(
      z.strictObject({
        is_problem: z.boolean(),
        code: z.string(),
        what: z.string(),
        next: z.string(),
      }),
    ),
  }),
  "sessions.forget": z.strictObject({
    sessions: z.array(named).describe("what was asked for, helpers of it, forks if asked for"),
    forgotten: z.boolean().describe("false where it was only said what would be forgotten"),
    kept_by_forks: texts.describe("forks that keep what they took over"),
    transcripts: texts.describe("on disk, of the agents' own programs; they stay"),
    go_databases: texts.describe("of the Go program, which may hold them; never written"),
  }),
  "sessions.export": z.strictObject({
    format: z.enum(["markdown", "json", "html"]),
    sessions: count,
    messages: count,
    bytes: count,
    path: z.string().describe("of the file; empty where none was written"),
    text: z.string().describe("the document, which is data; empty where a file was written"),
  }),
  "sessions.prune": z.strictObject({
    sessions: z.array(named),
    count,
    dry_run: z.boolean(),
    bytes_freed: count,
  }),
};
