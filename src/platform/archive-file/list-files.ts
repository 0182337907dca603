/** The plain files below a folder, in the order of their paths. */
import { lstatSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { byText } from "../../lib/by-text.ts";
import { fileError, systemCode } from "../file-error.ts";

export interface ListedFile {
  /** Relative, with slashes. */
  readonly path: string;
  readonly bytes: number;
}

export interface FileList {
  readonly files: readonly ListedFile[];
  /** Relative paths of links, pipes and sockets, and of what has no name in UTF-8. */
  readonly others: readonly string[];
}

/**
 * None where there is no folder; links are not followed.
 * @param isWanted of a relative path; what is below an unwanted folder is left out.
 * @throws PalliumError `permission_denied`, `io_failed`
 */
export async function listPlainFiles(
  root: string,
  isWanted: (path: string) => boolean,
): Promise<FileList> {
  const files: ListedFile[] = [];
  const others: string[] = [];
  const visit = async (folder: string): Promise<void> => {
    const names = await namesIn(folder === "" ? root : `${root}/${folder}`);
    for (const name of [...names].sort(byText)) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (!isWanted(path)) continue;
      const stat = lstatSync(`${root}/${path}`, { throwIfNoEntry: false });
      if (stat?.isDirectory()) await visit(path);
      else if (stat?.isFile()) files.push({ path, bytes: stat.size });
      else others.push(path);
    }
  };
  await visit("");
  return { files, others };
}

async function namesIn(path: string): Promise<readonly string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw fileError(error, "list", path);
  }
}
