import type { Reader } from "../../platform/sqlite/database.ts";
import type { CurrentFiles } from "../files/current-files.ts";
import { createPlaces, type Places } from "./places.ts";

/** A repository at one moment, as the analyses look at it. */
export interface RepoView {
  /** History and files of the indexed commit; see `history/queries.ts`. */
  readonly index: Reader;
  /** The files as they are now. */
  readonly files: CurrentFiles;
  readonly places: Places;
  /** Seconds since 1970. */
  readonly now: number;
}

export function repoView({ index, files, now }: Omit<RepoView, "places">): RepoView {
  return { index, files, places: createPlaces(files.paths), now };
}
