import { type CoChange, coChange } from "./cochange.ts";
import { knownFile } from "./known-file.ts";
import type { RepoView } from "./view.ts";

/** What lies around a file, for all that rank it. */
export interface Surroundings {
  readonly history: CoChange;
  /** Files in its folder, and those whose paths mention a word of its name. */
  readonly near: ReadonlySet<string>;
}

/** @param path of a file, which need not have a history. */
export function surroundings(view: RepoView, path: string): Surroundings {
  return {
    history: coChange(view, knownFile(view, path)),
    near: view.places.near(path),
  };
}
