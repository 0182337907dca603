import { shown } from "../text.ts";

/** `user`, `assistant`, or the tool and what it is. */
export function speaker(role: string, kind: string): string {
  return kind === "message" ? role : `${role}/${shown(kind)}`;
}
