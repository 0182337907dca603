import { expect, test } from "bun:test";
import { spokenLine } from "../../../src/providers/spoken-line.ts";

/** Events as codex-cli 0.153 and Claude Code 2.1 print them, shortened. */
test.each<[string, string | undefined]>([
  ["plain text ", "plain text"],
  ["  ", undefined],
  ['{"answer": 42}', '{"answer": 42}'],
  ['{"torn": ', '{"torn":'],
  ['{"type":"thread.started","thread_id":"01"}', undefined],
  ['{"type":"turn.started"}', undefined],
  ['{"type":"item.completed","item":{"type":"agent_message","text":"done"}}', "done"],
  ['{"type":"item.started","item":{"type":"command_execution","command":"ls"}}', "$ ls"],
  [
    '{"type":"item.completed","item":{"type":"file_change","changes":[{"path":"a"},{"path":"b"}]}}',
    "edits a, b",
  ],
  ['{"type":"item.completed","item":{"type":"file_change","changes":[]}}', undefined],
  ['{"type":"turn.failed","error":{"message":"no quota"}}', "no quota"],
  ['{"type":"error","message":"reconnecting"}', "reconnecting"],
  [
    '{"type":"assistant","message":{"content":[{"type":"text","text":"I look"},{"type":"tool_use","name":"Bash","input":{"command":"ls"}}]}}',
    "Bash ls",
  ],
  ['{"type":"user","message":{"content":"x"}}', undefined],
  ['{"type":"result","result":"all well"}', "all well"],
])("%s says %p", (line, said) => {
  expect(spokenLine(line)).toBe(said);
});
