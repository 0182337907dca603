/** A transcript of Claude Code whose texts try to be more than text. */
import type { TestIndex } from "./transcripts/index.ts";

export const HOSTILE = {
  script: `<script>document.title = "owned"</script>`,
  image: `<img src=x onerror="document.title='owned'">`,
  close: "</pre></article><h1>outside</h1>",
  fence: "````\n# outside\n````text",
  escape: "\u001b[31mred\u009b0m",
} as const;

const SAID: readonly (readonly [string, unknown])[] = [
  ["user", `Look at ${HOSTILE.image} ${HOSTILE.close}`],
  ["assistant", `${HOSTILE.fence}\n${HOSTILE.script}`],
  [
    "assistant",
    [{ type: "tool_use", id: "t", name: "Bash", input: { command: "cat <b>`x`</b>" } }],
  ],
  ["user", [{ type: "tool_result", tool_use_id: "t", is_error: true, content: HOSTILE.escape }]],
  ["assistant", "Grüße, 世界 🦀"],
];

export async function writeHostileSession(index: TestIndex): Promise<void> {
  const records = [
    ...SAID.map(([role, content], at) => ({
      type: role,
      sessionId: "hostile",
      uuid: `u${at}`,
      cwd: "/home/dev/<i>x</i>",
      gitBranch: "main",
      timestamp: `2026-12-01T10:00:0${at}.000Z`,
      message: { role, content },
    })),
    { type: "custom-title", sessionId: "hostile", customTitle: `# ${HOSTILE.script}` },
  ];
  const text = records.map((record) => JSON.stringify(record)).join("\n");
  await index.write("claude/projects/p/hostile.jsonl", `${text}\n`);
  await index.index();
}
