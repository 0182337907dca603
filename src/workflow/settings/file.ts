/** Where settings files are, and reading them without trusting whoever put them there. */
import { dirname, join } from "node:path";
import { PalliumError } from "../../lib/errors.ts";
import { readRegularFile } from "../../platform/bounded-read.ts";
import { exists, isDirectory, realPath } from "../../platform/files.ts";
import { workingTreeTop } from "../../platform/git/working-tree-top.ts";
import { sha256 } from "../../platform/hash.ts";

const NAME = "config.json";
const FOLDER = ".pallium";
/** Far more than all settings take. */
const LARGEST_BYTES = 64 * 1024;

export type FileContent =
  | { readonly kind: "missing" }
  | { readonly kind: "unusable"; readonly reason: string }
  | {
      readonly kind: "text";
      readonly text: string;
      /** Of the text, in hexadecimal. */
      readonly sha256: string;
    };

const UNUSABLE = {
  kind: "unusable",
  reason: `it is no readable file of at most ${LARGEST_BYTES / 1024} KiB`,
} as const;

/** @param home folder of pallium's own data. */
export function userSettingsPath(home: string): string {
  return join(home, NAME);
}

/**
 * The file of the repository around an absolute folder, or of the folder outside of one; `undefined`
 * where there is no such folder.
 */
export async function repositorySettingsPath(folder: string): Promise<string | undefined> {
  if (!(await isDirectory(folder))) return undefined;
  return join(await workingTreeTop(await realPath(folder)), FOLDER, NAME);
}

/** The repository that a settings file belongs to. */
export function repositoryOfSettings(path: string): string {
  return dirname(dirname(path));
}

/** The user's own file, which may be a link, as those are who keep such files in a repository. */
export async function readUserSettings(path: string): Promise<FileContent> {
  if (!(await exists(path))) return { kind: "missing" };
  return readSettings(await realPath(path).catch(() => path));
}

/**
 * A repository's file. Neither it nor the folder it is in may be a link: it could lead to anything
 * of the user's. What cannot be looked at is unusable, and no error: a repository must not be able to
 * stop its user.
 */
export async function readRepositorySettings(path: string): Promise<FileContent> {
  try {
    if (!(await exists(path))) return { kind: "missing" };
    const folder = dirname(path);
    if ((await realPath(folder)) !== folder) {
      return { kind: "unusable", reason: `${FOLDER} is a link` };
    }
    return await readSettings(path);
  } catch (error) {
    if (!(error instanceof PalliumError)) throw error;
    return { kind: "unusable", reason: error.message };
  }
}

async function readSettings(path: string): Promise<FileContent> {
  const bytes = await readRegularFile(path, LARGEST_BYTES);
  if (bytes === undefined) return UNUSABLE;
  const text = bytes.toString("utf8");
  return { kind: "text", text, sha256: sha256(text) };
}
