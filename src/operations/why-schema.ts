/** zod schema of what `sessions why` answers. */
import { z } from "zod";
import { count, recalled, texts, time, timeOrEmpty } from "./fields.ts";

const moment = { line_no: count, timestamp: timeOrEmpty };
const command = z.strictObject({
  ...moment,
  command: z.string(),
  exit_code: z.int().nullable().describe("null where nobody knows how it ended"),
});

const session = z.strictObject({
  session_id: z.string(),
  title: z.string(),
  provider: z.string(),
  parent_id: z.string().describe("of the session that started it as a helper, else empty"),
  score: count,
  signals: texts.describe("what speaks for it, the strongest first"),
  confidence: z.enum(["high", "medium", "low"]),
  edit: z.strictObject(moment).nullable().describe("the edit that is most likely meant"),
  prompt: z
    .strictObject({ ...moment, text: z.string() })
    .nullable()
    .describe("the last thing that the user said before the edit"),
  commands: z.array(command).describe("run between the edit and the commit"),
  verification: z.array(command).describe("tests, linters and compilers among all that was run"),
  recalled,
});

export const whyReport = z.strictObject({
  path: z.string().describe("relative to the top of the working tree"),
  line: z.int().nullable().describe("null where all of the file was asked about"),
  changes: z.array(
    z.strictObject({
      commit: z
        .strictObject({
          sha: z.string(),
          subject: z.string(),
          author: z.string(),
          authored_at: time,
          committed_at: time,
          path: z.string().describe("what the file was called in it"),
        })
        .nullable()
        .describe("null for what is not committed"),
      sessions: z.array(session).describe("the most likely first"),
      verified: z
        .array(
          z.strictObject({
            id: count,
            tier: z.string(),
            command: z.string(),
            exit_code: z.int(),
            timed_out: z.boolean(),
            ran_at: time,
            head: z.string().nullable().describe("commit that was checked out"),
          }),
        )
        .describe("what pallium itself ran on it and put on record, the newest first"),
    }),
  ),
  hints: texts,
});
