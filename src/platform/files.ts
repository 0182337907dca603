/** Files and folders of our own. What fails is `disk_full`, `permission_denied` or `io_failed`. */
import {
  access,
  constants,
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { PalliumError } from "../lib/errors.ts";
import { fileError, isForbidden, systemCode } from "./file-error.ts";

const OWNER_ONLY = 0o600;
const OWNER_RUNS = 0o700;
/** What `writeFileDurable` calls a file until it is whole. */
const HALF_WRITTEN = /^\..+\.[0-9a-f-]{36}\.tmp$/;
/** Of a path that leads to nothing: missing, through a file, in circles, or longer than any can be. */
const NOTHING_THERE = ["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"];

/**
 * Replaces a file as a whole: readers see the old content or the new, and once this resolves the
 * new one survives a power cut.
 * @param data what it is to hold, at once or as it comes; what that throws is thrown.
 */
export async function writeFileDurable(
  path: string,
  data: string | Uint8Array | AsyncIterable<Uint8Array>,
  mode = OWNER_ONLY,
): Promise<void> {
  const folder = dirname(path);
  const temporary = join(folder, `.${basename(path)}.${crypto.randomUUID()}.tmp`);
  try {
    await withFile(temporary, "wx", mode, async (file) => {
      if (typeof data === "string" || data instanceof Uint8Array) await file.writeFile(data);
      else for await (const chunk of data) await file.writeFile(chunk);
      await file.sync();
    });
    await rename(temporary, path);
    await withFile(folder, "r", undefined, (directory) => directory.sync());
  } catch (error) {
    await rm(temporary, { force: true });
    throw error instanceof PalliumError ? error : fileError(error, "write", path);
  }
}

/** Removes what `writeFileDurable` left half-written in a folder; nobody may be writing there. */
export async function removeHalfWritten(folder: string): Promise<void> {
  const names = await unlessMissing("list", folder, () => readdir(folder));
  for (const name of names ?? []) {
    if (HALF_WRITTEN.test(name)) await removeIfThere(join(folder, name));
  }
}

/** Writes a file that its owner alone may read, without waiting for the disk. */
export async function writePrivateFile(path: string, data: string | Uint8Array): Promise<void> {
  await attempt("write", path, () => writeFile(path, data, { mode: OWNER_ONLY }));
}

/** Writes a file that its owner alone may run. */
export async function writeProgram(path: string, text: string): Promise<void> {
  await attempt("write", path, () => writeFile(path, text, { mode: OWNER_RUNS }));
}

/** Writes a new file, for its owner alone, as its bytes come; a failure that they meet is thrown. */
export async function writeNewFile(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  await attempt("write", path, () =>
    withFile(path, "wx", OWNER_ONLY, async (file) => {
      for await (const chunk of bytes) await file.writeFile(chunk);
    }),
  );
}

/** Moves a file or folder to a name in the same file system where nothing is. */
export async function renameFolder(from: string, to: string): Promise<void> {
  await attempt("move", from, async () => {
    await rename(from, to);
    await withFile(dirname(to), "r", undefined, (directory) => directory.sync());
  });
}

/** Removes a file, or a link; nothing where it is missing. */
export async function removeIfThere(path: string): Promise<void> {
  await attempt("remove", path, () => rm(path, { force: true }));
}

/** Removes a folder that nothing is in; it stays where that cannot be done. */
export async function removeIfEmpty(path: string): Promise<void> {
  await rmdir(path).catch(() => {});
}

/** Makes a folder, and those above it that are missing, for their owner alone. */
export async function ensurePrivateDir(path: string): Promise<void> {
  await attempt("make the directory", path, () => mkdir(path, { recursive: true, mode: 0o700 }));
}

/** All of a text file, invalid UTF-8 replaced; `undefined` where there is none. */
export function readTextFile(path: string): Promise<string | undefined> {
  return unlessMissing("read", path, async () =>
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(await readFile(path)),
  );
}

/** Names of the folders in a folder; none where it is missing. */
export async function listDirectories(path: string): Promise<readonly string[]> {
  const entries = await unlessMissing("list", path, () => readdir(path, { withFileTypes: true }));
  return (entries ?? []).filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** Names of the files in a folder, links to files left out; none where it is missing. */
export async function listFiles(path: string): Promise<readonly string[]> {
  const entries = await unlessMissing("list", path, () => readdir(path, { withFileTypes: true }));
  return (entries ?? []).filter((entry) => entry.isFile()).map(({ name }) => name);
}

/** The absolute path without links; it must exist. */
export function realPath(path: string): Promise<string> {
  return attempt("resolve", path, () => realpath(path));
}

/**
 * The absolute path with every link above its last name resolved, as far as the folders exist. The
 * last name may be a link itself, or missing.
 */
export async function realPathOfParent(path: string): Promise<string> {
  const folder = dirname(path);
  if (folder === path) return path;
  const above = await unlessMissing("resolve", folder, () => realpath(folder));
  return join(above ?? (await realPathOfParent(folder)), basename(path));
}

export async function isDirectory(path: string): Promise<boolean> {
  return (await unlessMissing("look at", path, () => stat(path)))?.isDirectory() ?? false;
}

/** Whether files can be made in a folder; `undefined` where there is none. */
export async function isWritableFolder(path: string): Promise<boolean | undefined> {
  if (!(await isDirectory(path))) return undefined;
  try {
    await access(path, constants.W_OK | constants.X_OK);
    return true;
  } catch (error) {
    if (isForbidden(error)) return false;
    throw fileError(error, "look at", path);
  }
}

/** Whether anything is there, a link that leads nowhere included. */
export async function exists(path: string): Promise<boolean> {
  return (await unlessMissing("look at", path, () => lstat(path))) !== undefined;
}

export async function isFile(path: string): Promise<boolean> {
  return (await unlessMissing("look at", path, () => stat(path)))?.isFile() ?? false;
}

async function withFile<T>(
  path: string,
  flags: string,
  mode: number | undefined,
  use: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const file = await open(path, flags, mode);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

async function attempt<T>(action: string, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof PalliumError ? error : fileError(error, action, path);
  }
}

async function unlessMissing<T>(
  action: string,
  path: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (NOTHING_THERE.includes(systemCode(error) ?? "")) return undefined;
    throw fileError(error, action, path);
  }
}
