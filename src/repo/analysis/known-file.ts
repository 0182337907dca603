import { type FileRow, findFile } from "../history/queries.ts";
import type { RepoView } from "./view.ts";

/**
 * What the index has of a file, under the path that it has now: of one that was renamed and not
 * committed, what it has under the old one.
 */
export function knownFile({ index, files, now }: RepoView, path: string): FileRow | undefined {
  const file = findFile(index, files.nameBefore(path), now);
  return file && { ...file, path };
}
