/** What a report rests on: named only where it was there and was used. */
import { counted } from "../../lib/counted.ts";

export interface Evidence {
  readonly sources: readonly string[];
  /** One for each source, in the same order. */
  readonly notes: readonly string[];
}

/** What went into a report. */
export interface Used {
  /** Commits whose touches were counted. */
  readonly commits: number;
  /** Files found by imports, includes and the like. */
  readonly links: number;
  readonly tests: number;
  /** Commands that build files gave. */
  readonly commands: number;
  readonly changedFiles: number;
  readonly hasTask: boolean;
}

/** Names the sources that had something to say, with how much each had. */
export function evidenceOf(used: Used): Evidence {
  const all: readonly (readonly [source: string, holds: boolean, note: string])[] = [
    [
      "git-history",
      used.commits > 0,
      `${counted(used.commits, "commit")} of the files in question`,
    ],
    ["repo-structure", used.links > 0, `${counted(used.links, "link")} by imports and names`],
    [
      "test-inference",
      used.tests > 0,
      `${counted(used.tests, "test")} chosen by imports, names and history`,
    ],
    ["repo-config", used.commands > 0, `${counted(used.commands, "command")} from build files`],
    [
      "working-tree",
      used.changedFiles > 0,
      `${counted(used.changedFiles, "file")} changed and not committed`,
    ],
    ["task-scope", used.hasTask, "the scope of the active task"],
  ];
  const held = all.filter(([, holds]) => holds);
  return { sources: held.map(([source]) => source), notes: held.map(([, , note]) => note) };
}
