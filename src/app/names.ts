/** What the completion script of a shell asks for while somebody waits for the cursor. */
import { NAME_KINDS, type NameKind } from "../cli/completions/names.ts";
import type { Output } from "../cli/program.ts";
import type { Environment } from "../platform/environment.ts";
import { isFile } from "../platform/files.ts";
import { workingTreeTop } from "../platform/git/working-tree-top.ts";
import { readEnvironment } from "./env.ts";
import { dataHome, openSessionStore, openStore, storePath } from "./store.ts";

/**
 * Prints the names of a kind, one a line; nothing where they cannot be found out, since a message
 * would land in the middle of what the user types. It makes no store and recovers nothing.
 */
export async function printNames(output: Output, words: readonly string[]): Promise<number> {
  const kind = NAME_KINDS.find((kind) => kind === words[0]);
  if (kind === undefined) return 2;
  const names = await namesOf(kind, readEnvironment()).catch((): readonly string[] => []);
  const safe = names.filter((name) => /^[\w.-]+$/.test(name));
  if (safe.length > 0) await output.data(`${safe.join("\n")}\n`);
  return 0;
}

async function namesOf(kind: NameKind, environment: Environment): Promise<readonly string[]> {
  if (kind === "workflows") {
    const { savedWorkflowNames } = await import("../workflow/authoring/saved.ts");
    const { cwd, home } = environment;
    return savedWorkflowNames({ cwd, repositoryTop: await workingTreeTop(cwd), home });
  }
  const home = dataHome(environment);
  if (kind === "sessions")
    return sessionIds(storePath(environment, home, undefined, () => {}, kind));
  const path = storePath(environment, home, undefined, () => {});
  if (!(await isFile(path))) return [];
  const { namesOnRecord } = await import("../workflow/reports/names.ts");
  using store = await openStore(path);
  return namesOnRecord(store, kind);
}

async function sessionIds(path: string): Promise<readonly string[]> {
  if (!(await isFile(path))) return [];
  const { latestSessionIds } = await import("../sessions/reports/names.ts");
  using store = await openSessionStore(path);
  return latestSessionIds(store);
}
