import { readdirSync } from "node:fs";
import { decodePath, encodePath } from "../../lib/git-path.ts";
import { fileError } from "../file-error.ts";
import { createLook } from "./look.ts";
import { pathBelow } from "./path-below.ts";

/**
 * All that lies below a folder of a working tree, links not followed: files, and folders that have
 * nothing in them.
 * @throws PalliumError `permission_denied`, `io_failed`.
 */
export function listBelow(root: string, folder: string): readonly string[] {
  const look = createLook(root);
  const list = (inside: string): readonly string[] =>
    namesIn(root, inside).flatMap((name) => {
      const path = decodePath(Buffer.concat([encodePath(inside), Buffer.from("/"), name]));
      const below = look(path)?.kind === "folder" ? list(path) : [];
      return below.length === 0 ? [path] : below;
    });
  return list(folder);
}

function namesIn(root: string, folder: string): readonly Buffer[] {
  try {
    return readdirSync(pathBelow(root, folder), { encoding: "buffer" });
  } catch (error) {
    throw fileError(error, "list", `${root}/${folder}`);
  }
}
