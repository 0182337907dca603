import type { Git } from "../../platform/git/runner.ts";
import { listCommits } from "./read-log.ts";

/** So many mostly do: a git that is listing more would have to be ended, which takes longer. */
const FIRST = 250;

/**
 * Begins to list the commits that lead to one, from the newest, as a fresh index has them.
 * @returns what lists them, later on.
 */
export function startNewestFirst(
  git: Git,
  commit: string,
  options: { readonly cwd: string; readonly signal?: AbortSignal },
): () => AsyncGenerator<string> {
  const list = (bound: string) => listCommits(git, [bound, commit], options);
  const first = Array.fromAsync(list(`--max-count=${FIRST}`));
  first.catch(() => {}); // told to who asks
  return async function* () {
    const known = await first;
    yield* known;
    if (known.length === FIRST) yield* list(`--skip=${FIRST}`);
  };
}
