/** The domains that operations call; made in `app/wire`. */
import type { RepoService } from "../repo/service.ts";
import type { WorkflowService } from "../workflow/service.ts";

export interface Services {
  readonly workflow: WorkflowService;
  readonly repo: RepoService;
}
