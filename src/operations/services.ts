/** The domains that operations call; made in `app/wire`. */
import type { RepoService } from "../repo/service.ts";
import type { SessionService } from "../sessions/service.ts";
import type { WorkflowService } from "../workflow/service.ts";

/** Each loads when an operation first asks for it: the one costs a question of the other time. */
export interface Services {
  readonly workflow: () => Promise<WorkflowService>;
  readonly repo: () => Promise<RepoService>;
  readonly sessions: () => Promise<SessionService>;
}
