/** The domains that operations call; made in `app/wire`. */
import type { WorkflowService } from "../workflow/service.ts";

export interface Services {
  readonly workflow: WorkflowService;
}
