import { withoutRedirections } from "../../platform/git/redirections.ts";
import { withoutOwn } from "../../providers/worker-environment.ts";

/**
 * The user's environment as verification commands get it: without pallium's secrets, without what
 * an outer call was told, and without git's redirections to the repository of a hook.
 */
export function verificationEnvironment(
  variables: Readonly<Record<string, string>>,
): Record<string, string> {
  return withoutRedirections(withoutOwn(variables));
}
