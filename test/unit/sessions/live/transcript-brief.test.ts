/** What the ends of a transcript say of its session. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { readBrief, TAIL_BYTES } from "../../../../src/sessions/live/transcript-brief.ts";
import { tempDir } from "../../../support/temp.ts";

test("what a helper does in its session's transcript is not what the session does", async () => {
  await using temp = await tempDir();
  const path = join(temp.path, "s.jsonl");
  const ran = (command: string, isSidechain: boolean) => ({
    type: "assistant",
    sessionId: "s",
    isSidechain,
    message: { content: [{ type: "tool_use", name: "Bash", input: { command } }] },
  });
  const records = [ran("make test", false), ran("make help", true)];
  await Bun.write(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  const transcript = { provider: "claude", path, modifiedMs: 5 } as const;
  expect(await readBrief(transcript, TAIL_BYTES.active)).toMatchObject({
    id: "s",
    isHelper: false,
    recentAction: "Bash: make test",
    activeMs: 5,
  });
});

test("a transcript that is gone says nothing", async () => {
  const transcript = {
    provider: "codex",
    path: "/nowhere/rollout-x.jsonl",
    modifiedMs: 5,
  } as const;
  expect(await readBrief(transcript, TAIL_BYTES.active)).toBeUndefined();
});
