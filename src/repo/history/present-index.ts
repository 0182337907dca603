/** The index of a repository as it lies on disk. */
import { join } from "node:path";
import { type Artifact, openArtifact } from "../../platform/sqlite/artifact.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import type { Repository } from "../identity.ts";
import { INDEX_FORMAT } from "./schema.ts";

/** What was indexed, and when. */
export interface IndexState {
  readonly head: string;
  readonly branch: string;
  /** UTC with milliseconds. */
  readonly indexed_at: string;
}

/** What the index holds. */
export function indexState(index: Reader): IndexState | undefined {
  return index.get<IndexState>("SELECT head, branch, indexed_at FROM state");
}

/** Absolute path of the index; need not exist. */
export function indexPath({ dataFolder }: Repository): string {
  return join(dataFolder, "index.sqlite");
}

/** The index as it is; `undefined` where there is none that can be used. */
export function openIndex(repository: Repository): Promise<Artifact | undefined> {
  return openArtifact(indexPath(repository), INDEX_FORMAT);
}
