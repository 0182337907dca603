/** Whom `.mailmap` says that names and addresses stand for. */
import { join } from "node:path";
import { fingerprint } from "../../platform/fingerprint.ts";
import type { Git } from "../../platform/git/runner.ts";

/** A text that changes with the `.mailmap` that git reads: the one in the working tree. */
export function mailmapState(root: string): Promise<string> {
  return fingerprint(join(root, ".mailmap"));
}

/**
 * The contacts that git has for some others, in their order.
 * @param contacts such as `Ann <ann@example.com>`, or without a name `<ann@example.com>`.
 */
export async function mappedContacts(
  git: Git,
  root: string,
  contacts: readonly string[],
): Promise<readonly string[]> {
  const input = contacts.map((contact) => `${contact}\n`).join("");
  const { stdout } = await git.run(["check-mailmap", "--stdin"], { cwd: root, input });
  const mapped = stdout.split("\n").slice(0, -1);
  if (mapped.length === contacts.length) return mapped;
  throw new Error(`git was asked for ${contacts.length} contacts and told of ${mapped.length}`);
}
