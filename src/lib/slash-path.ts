/** Arithmetic of repository paths: relative, with `/`, the root being "". */

/** The folder of a path; "" at the root. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

/** The last part of a path: the name of a file or folder. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The name without its last extension. */
export function stemOf(path: string): string {
  const name = nameOf(path);
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? name : name.slice(0, dot);
}

/** A path below a folder, without resolving dots. */
export function below(folder: string, path: string): string {
  if (folder === "") return path;
  return path === "" ? folder : `${folder}/${path}`;
}

/** `path` as seen from `folder`, dots resolved; `undefined` where it leaves the repository. */
export function joinPath(folder: string, path: string): string | undefined {
  if (!path.includes("./") && !path.endsWith(".") && !path.includes("//") && !path.endsWith("/")) {
    return below(folder, path);
  }
  const segments = folder === "" ? [] : folder.split("/");
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments.join("/");
}

/** The folder and all above it, the nearest first and the root ("") last. */
export function upward(folder: string): string[] {
  const folders = [folder];
  let current = folder;
  while (current !== "") {
    current = folderOf(current);
    folders.push(current);
  }
  return folders;
}

/** Whether the path lies in the folder or below it. */
export function isBelow(path: string, folder: string): boolean {
  return folder === "" || path.startsWith(`${folder}/`);
}
