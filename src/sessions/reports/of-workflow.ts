/** Marks sessions that agents of pallium's own workflows had. */
import { PalliumError } from "../../lib/errors.ts";
import type { SessionPowers, WorkflowCall } from "../powers.ts";

/** The call that a session was for; names of the workflow's own. */
export type WorkflowTag = Pick<WorkflowCall, "run_id" | "call_id" | "label">;

export type Tagged<Session> = Session & { readonly workflow?: WorkflowTag };

/** Adds the call to each session that one had; where runs cannot be read, nothing. */
export async function tagSessions<Session extends { readonly id: string }>(
  { workflowCalls, notice }: Pick<SessionPowers, "workflowCalls" | "notice">,
  sessions: readonly Session[],
): Promise<readonly Tagged<Session>[]> {
  if (workflowCalls === undefined || sessions.length === 0) return sessions;
  const calls = new Map<string, WorkflowTag>();
  try {
    for (const call of await workflowCalls(sessions.map(({ id }) => id))) {
      const { session_id: id, run_id, call_id, label } = call;
      if (!calls.has(id)) calls.set(id, { run_id, call_id, label });
    }
  } catch (error) {
    if (!(error instanceof PalliumError)) throw error;
    notice(`runs of workflows cannot be read: ${error.message}`);
  }
  return sessions.map((session) => {
    const workflow = calls.get(session.id);
    return workflow === undefined ? session : { ...session, workflow };
  });
}
