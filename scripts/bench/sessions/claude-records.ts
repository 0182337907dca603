/** Records as Claude Code writes them. */
import type { Records } from "./corpus.ts";
import type { Texts } from "./texts.ts";

export function* claudeRecords(texts: Texts, sessionId: string): Records {
  const { random: draw } = texts;
  let at = Date.UTC(2026, 10, 1 + draw.below(25));
  let parentUuid: string | null = null;
  let call = "";
  const cwd = `/srv/code/${draw.below(20)}`;
  const common = () => {
    at += 1 + draw.below(9000);
    const uuid = texts.uuid();
    const entry = {
      parentUuid,
      isSidechain: false,
      uuid,
      timestamp: new Date(at).toISOString(),
      userType: "external",
      cwd,
      sessionId,
      version: "2.1.332",
      gitBranch: "main",
    };
    parentUuid = uuid;
    return entry;
  };
  const said = (type: string, content: unknown, more: object = {}) => ({
    messages: 1,
    record: { type, ...common(), message: { role: type, content, ...more } },
  });
  const answered = (content: readonly object[]) =>
    said("assistant", content, {
      id: `msg_${texts.hex(20)}`,
      model: "claude-opus-5-5",
      usage: { input_tokens: draw.below(900), output_tokens: draw.below(900) },
    });
  yield said("user", texts.prompt());
  for (;;) {
    const kind = draw.below(100);
    if (kind < 5) yield said("user", texts.prompt());
    else if (kind < 25) yield answered([{ type: "text", text: texts.prose() }]);
    else if (kind < 92) {
      call = `toolu_${texts.hex(20)}`;
      yield answered([{ type: "tool_use", id: call, ...toolCall(texts) }]);
      yield said("user", [{ type: "tool_result", tool_use_id: call, content: texts.output() }]);
    } else if (kind < 96) yield noise(common());
    else
      yield {
        messages: 0,
        record: {
          type: "api-request-blob",
          sessionId,
          hash: texts.hex(64),
          message: { role: "user", content: texts.output() },
        },
      };
  }
}

function noise(common: object): { record: unknown; messages: number } {
  const content =
    "<system-reminder>\nAs you answer, you can use what follows as context.\n</system-reminder>";
  return {
    messages: 0,
    record: { type: "user", ...common, isMeta: true, message: { role: "user", content } },
  };
}

function toolCall(texts: Texts): { name: string; input: object } {
  const { random: draw } = texts;
  const file_path = `/srv/code/${texts.path()}`;
  return draw.pick([
    () => ({ name: "Bash", input: { command: texts.command(), description: "Run it" } }),
    () => ({ name: "Read", input: { file_path } }),
    () => ({
      name: "Edit",
      input: { file_path, old_string: texts.code(), new_string: texts.code() },
    }),
  ])();
}
