/** Records as Codex writes them. */
import type { Records } from "./corpus.ts";
import type { Texts } from "./texts.ts";

export function* codexRecords(texts: Texts, id: string): Records {
  const { random: draw } = texts;
  let at = Date.UTC(2026, 10, 1 + draw.below(25));
  let ordinal = 0;
  const entry = (type: string, payload: object, messages = 0) => {
    at += 1 + draw.below(9000);
    ordinal += 1;
    return {
      messages,
      record: { timestamp: new Date(at).toISOString(), ordinal, type, payload },
    };
  };
  const item = (type: string, more: object) =>
    entry("response_item", { type, id: `${type}_${texts.hex(24)}`, ...more }, 1);
  const said = (role: string, type: string, text: string) =>
    item("message", { role, content: [{ type, text }] });
  yield entry("session_meta", {
    id,
    cwd: `/srv/code/${draw.below(20)}`,
    cli_version: "0.169.0",
    model_provider: "openai",
    git: { branch: "main", repository_url: "https://example.com/acme/billing.git" },
  });
  for (;;) {
    const kind = draw.below(100);
    const turn_id = texts.uuid();
    if (kind < 6) yield said("user", "input_text", texts.prompt());
    else if (kind < 20) yield said("assistant", "output_text", texts.prose());
    else if (kind < 30)
      yield item("reasoning", { summary: [{ type: "summary_text", text: texts.prose() }] });
    else if (kind < 38)
      yield item("custom_tool_call", {
        call_id: texts.hex(20),
        name: "apply_patch",
        input: patch(texts),
      });
    else if (kind < 90) {
      const call_id = `call_${texts.hex(20)}`;
      const call = { turn_id, metadata: { history_sequence: ordinal, client_authored: false } };
      const args = JSON.stringify({ cmd: texts.command() });
      yield item("function_call", { name: "exec_command", arguments: args, call_id, ...call });
      const output = `Chunk ID: ${texts.hex(6)}\nProcess exited with code 0\nOutput:\n${texts.output()}`;
      yield item("function_call_output", { call_id, output, ...call });
    } else
      yield entry("event_msg", {
        type: "token_count",
        turn_id,
        info: { total_token_usage: { total_tokens: ordinal * 900 } },
      });
  }
}

function patch(texts: Texts): string {
  const lines = texts.code().split("\n");
  const body = lines.map((line, at) => `${at % 3 === 0 ? "+" : " "}${line}`).join("\n");
  return `*** Begin Patch\n*** Update File: ${texts.path()}\n@@\n${body}\n*** End Patch`;
}
