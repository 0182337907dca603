import { printable } from "../../../lib/printable.ts";
import type { WorkflowTag } from "../../../sessions/reports/of-workflow.ts";
import type { ShownSession } from "../../../sessions/reports/show.ts";
import { shown } from "../text.ts";
import { brief } from "./session-list.ts";
import { speaker } from "./speaker.ts";

const MOST_COMMANDS = 40;

export function shownSessionText({ session, messages, helpers }: ShownSession): string {
  const { commands, errors } = session;
  const facts: readonly (readonly [string, string])[] = [
    ["agent", [session.provider, session.model, session.cli_version].filter(Boolean).join(" ")],
    ["branch", [session.git_branch, session.git_origin_url].filter(Boolean).join(" of ")],
    ["status", session.status],
    ["tokens", session.tokens_used === 0 ? "" : String(session.tokens_used)],
    ["workflow call", workflowText(session.workflow)],
    ["helper of", session.parent_id],
    ["fork of", session.forked_from],
    ["helpers", helpers.join(", ")],
    ["transcript", session.rollout_path],
  ];
  return [
    ...brief({ ...session, files_touched: session.files_touched.slice(0, MOST_COMMANDS) }),
    ...facts
      .filter(([, value]) => value !== "")
      .map(([name, value]) => `  ${name}: ${shown(value)}`),
    ...section("First ask", session.first_user_message),
    ...section("Last agent message", session.last_agent_message),
    ...listed("Commands", commands),
    ...listed("Errors", errors),
    ...messages.flatMap(({ line_no: line, role, kind, timestamp, text }) => [
      "",
      `[${line}] ${speaker(role, kind)} ${timestamp}`.trimEnd(),
      printable(text),
    ]),
  ].join("\n");
}

function workflowText(call: WorkflowTag | undefined): string {
  return call === undefined ? "" : `${call.label || call.call_id} of ${call.run_id}`;
}

function section(title: string, text: string): readonly string[] {
  return text === "" ? [] : ["", `${title}:`, printable(text)];
}

function listed(title: string, entries: readonly string[]): readonly string[] {
  if (entries.length === 0) return [];
  const lines = entries.slice(0, MOST_COMMANDS).map((entry) => `- ${printable(entry)}`);
  if (entries.length > MOST_COMMANDS) lines.push(`- … and ${entries.length - MOST_COMMANDS} more`);
  return ["", `${title}:`, ...lines];
}
