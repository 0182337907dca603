/** Brings the index of a working tree to what its files are. */
import { PalliumError } from "../../../lib/errors.ts";
import { encodePath } from "../../../lib/git-path.ts";
import type { Git } from "../../../platform/git/runner.ts";
import { hashRaw } from "../trees/store-files.ts";
import { type TreeChange, updateIndex } from "../trees/tree.ts";
import { NOT_IN_MEMORY, type RepositoryKind, settingVariables } from "../trees/tree-store.ts";

const NUL = Buffer.from([0]);
const TIMEOUT_MS = 600_000;
/** Line ends that cannot be told apart later are no reason to refuse a file. */
const VARIABLES = settingVariables({ ...NOT_IN_MEMORY, "core.safecrlf": "false" });

/**
 * Puts changed files into the index, as the filters and attributes of the repository have them.
 * Where these refuse one, as a wrong encoding makes them, files are put there as they are.
 * @param root top of the working tree, whose files are as `after` says.
 */
export async function indexFiles(
  git: Git,
  kind: RepositoryKind,
  root: string,
  changes: readonly TreeChange[],
): Promise<void> {
  const run = (args: readonly string[], input: string | Uint8Array) =>
    git.run(args, { cwd: root, input, timeoutMs: TIMEOUT_MS, variables: VARIABLES });
  const update = async (options: readonly string[], paths: readonly string[]) => {
    if (paths.length === 0) return;
    const input = Buffer.concat(paths.flatMap((path) => [encodePath(path), NUL]));
    await run(["update-index", ...options, "-z", "--stdin"], input);
  };
  const add = (put: readonly TreeChange[]) => update(["--add", "--replace"], put.map(pathOf));
  const put = changes.filter(({ after }) => after !== undefined);
  await update(["--force-remove"], changes.filter(({ after }) => after === undefined).map(pathOf));
  await add(put).catch(async (error) => {
    if (!(error instanceof PalliumError) || error.code !== "git_failed") throw error;
    const isLink = ({ after }: TreeChange) => after?.mode === "120000";
    await add(put.filter(isLink));
    const files = put.filter((change) => !isLink(change));
    const blobs = await hashRaw(run, files.map(pathOf));
    const raw = files.map(({ path, after }, index) => ({
      path,
      ...(after && { after: { mode: after.mode, blob: blobs[index] ?? "" } }),
    }));
    await updateIndex({ kind, run: (args, { input = "" } = {}) => run(args, input) }, raw);
  });
}

function pathOf({ path }: TreeChange): string {
  return path;
}
