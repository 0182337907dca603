/** A transcript of Claude Code, from what was asked and done in it. */

export interface ClaudeStep {
  /** What the user, or the agent, says. */
  readonly user?: string;
  readonly agent?: string;
  readonly edit?: string;
  readonly read?: string;
  /** A command line, and what came of it. */
  readonly run?: string;
  readonly output?: string;
  /** 0 without. */
  readonly exit?: number;
  /** UTC; a second after the step before without. */
  readonly at?: string;
}

export interface ClaudeSession {
  readonly id: string;
  readonly cwd: string;
  readonly steps: readonly ClaudeStep[];
  /** Of the first step. */
  readonly at?: string;
}

/** Lines of the transcript. */
export function claudeTranscript({ id, cwd, steps, at }: ClaudeSession): string {
  let now = Date.parse(at ?? "2026-12-01T10:00:00.000Z") - 1000;
  const records = steps.flatMap((step, index) => {
    now = step.at === undefined ? now + 1000 : Date.parse(step.at);
    const common = { sessionId: id, cwd, timestamp: new Date(now).toISOString() };
    return recordsOf(step, `${id}-${index}`).map((record, part) => ({
      ...common,
      uuid: `${id}-${index}-${part}`,
      ...record,
    }));
  });
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

function recordsOf(step: ClaudeStep, call: string): readonly Record<string, unknown>[] {
  const said = (type: "user" | "assistant", content: unknown) => ({
    type,
    message: { role: type, content },
  });
  const uses = (name: string, input: Record<string, unknown>) =>
    said("assistant", [{ type: "tool_use", id: call, name, input }]);
  const { user, agent, edit, read, run, output = "", exit = 0 } = step;
  if (user !== undefined) return [said("user", user)];
  if (agent !== undefined) return [said("assistant", agent)];
  if (edit !== undefined) {
    return [uses("Edit", { file_path: edit, old_string: "a", new_string: "b" })];
  }
  if (read !== undefined) return [uses("Read", { file_path: read })];
  const text = exit === 0 ? output : `Exit code ${exit}\n${output}`;
  const result = { type: "tool_result", tool_use_id: call, is_error: exit !== 0, content: text };
  return [uses("Bash", { command: run }), said("user", [result])];
}
