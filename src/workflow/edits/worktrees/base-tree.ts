/** The tree that a commit makes in a working tree, byte for byte. */
import { decodePath, encodePath } from "../../../lib/git-path.ts";
import { nulFields } from "../../../lib/nul-fields.ts";
import { storeFiles } from "../trees/store-files.ts";
import { changeTree } from "../trees/tree.ts";
import { splitOnce, type TreeStore } from "../trees/tree-store.ts";

const NUL = Buffer.from([0]);
/** With one of these, unless it is off, a file is not what the commit holds. */
const CONVERTING = ["filter", "ident", "working-tree-encoding"];
const OFF = ["unspecified", "unset"];

/**
 * Most checkouts hold what their commit does. Line ends, filters and encodings can make them differ;
 * then the tree holds what the files do.
 * @param root top of a working tree into which nothing but this commit was checked out.
 * @param paths of its files.
 */
export async function checkedOutTree(
  store: TreeStore,
  root: string,
  commit: string,
  paths: readonly string[],
): Promise<string> {
  const { stdout } = await store.run(["rev-parse", "--verify", `${commit}^{tree}`]);
  const entries = await storeFiles(store, root, await convertedPaths(store, root, paths));
  const changes = [...entries].map(([path, after]) => ({ path, after }));
  return changeTree(store, stdout.trim(), changes);
}

/** Those of the files whose attributes, or the user's settings, may make them differ. */
async function convertedPaths(
  store: TreeStore,
  root: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const convertsLineEnds = await writesCarriageReturns(store);
  const converted = new Set<string>();
  const args = ["check-attr", "--stdin", "-z", ...CONVERTING, "eol", "text"];
  const input = Buffer.concat(paths.flatMap((path) => [encodePath(path), NUL]));
  let fields: Buffer[] = [];
  for await (const field of nulFields(store.stream(args, { workTree: root, input }))) {
    fields.push(field);
    const [path, attribute, value] = fields;
    if (path === undefined || attribute === undefined || value === undefined) continue;
    fields = [];
    if (isConverting(attribute.toString(), value.toString(), convertsLineEnds)) {
      converted.add(decodePath(path));
    }
  }
  return [...converted];
}

function isConverting(attribute: string, value: string, convertsLineEnds: boolean): boolean {
  if (attribute === "eol") return value === "crlf";
  if (attribute === "text") return convertsLineEnds && value !== "unset";
  return !OFF.includes(value);
}

/** Whether the user's settings have text files end their lines with CR LF. */
async function writesCarriageReturns(store: TreeStore): Promise<boolean> {
  const args = ["config", "--get-regexp", "^core\\.(autocrlf|eol)$"];
  const { stdout } = await store.run(args, { okCodes: [0, 1] });
  const settings = new Map(stdout.split("\n").map((line) => splitOnce(line)));
  return settings.get("core.autocrlf") === "true" || settings.get("core.eol") === "crlf";
}
