import type { PatchedFile } from "../../../lib/patch-parts.ts";
import { visibleName } from "../../../lib/visible-name.ts";

/** The name of a file; where it was renamed, both. */
export function fileName({ path, old_path: oldPath }: PatchedFile): string {
  return oldPath === undefined
    ? visibleName(path)
    : `${visibleName(oldPath)} → ${visibleName(path)}`;
}

/** What became of a file but for its content, such as `added, executable`. */
export function fileChange({ change, old_mode, new_mode, binary }: PatchedFile): string {
  const mode = new_mode ?? old_mode ?? "";
  const isOther = old_mode !== undefined && new_mode !== undefined && old_mode !== new_mode;
  return [
    change,
    ...(isOther ? [`${KINDS[old_mode] ?? old_mode} → ${KINDS[mode] ?? mode}`] : []),
    ...(isOther || mode === "100644" || mode === "" ? [] : [KINDS[mode] ?? mode]),
    ...(binary ? ["binary"] : []),
  ].join(", ");
}

const KINDS: Readonly<Record<string, string>> = {
  "100644": "not executable",
  "100755": "executable",
  "120000": "link",
  "160000": "nested repository",
};
