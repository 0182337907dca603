/** Folders that a checkout has beside its commit, such as installed dependencies, for working trees too. */
import { PalliumError } from "../../../lib/errors.ts";
import { joinPath } from "../../../lib/slash-path.ts";
import { linkInside } from "../../../platform/confined-write.ts";
import { isDirectory } from "../../../platform/files.ts";

/**
 * Reads `node_modules,.venv`; empty or absent names none.
 * @returns paths relative to the top of the checkout.
 * @throws PalliumError `bad_link` for one that leads out of it.
 */
export function parseLinks(text: string | undefined): readonly string[] {
  return (text ?? "").split(",").flatMap((part) => {
    const given = part.trim().replace(/\/+$/, "");
    if (given === "") return [];
    const path = given.startsWith("/") ? undefined : joinPath("", given);
    if (path !== undefined && path !== "" && path.split("/")[0] !== ".git") return [path];
    throw new PalliumError("bad_link", `not a folder inside the checkout: ${given}`, {
      hints: ["name folders relative to the top of the repository, such as node_modules,.venv"],
    });
  });
}

/** Links those of the folders that the checkout has and the working tree has not; returns which. */
export async function linkFolders(
  checkout: string,
  worktree: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  const linked: string[] = [];
  for (const path of paths) {
    const target = `${checkout}/${path}`;
    if ((await isDirectory(target)) && (await linkInside(worktree, path, target)))
      linked.push(path);
  }
  return linked;
}
