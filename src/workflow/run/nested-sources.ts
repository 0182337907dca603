/** The texts of saved workflows that a run uses: the file, or what an earlier execution kept of it. */
import { basename } from "node:path";
import { PalliumError } from "../../lib/errors.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import { findSavedWorkflow, savedWorkflowId } from "../authoring/saved.ts";
import type { WorkflowPowers } from "../powers.ts";
import { readScriptText, type ScriptSource, scriptSource } from "./request.ts";
import { requireArtifact } from "./store.ts";

export interface NestedSource {
  readonly name: string;
  readonly script: ScriptSource;
  /** Whether the first execution that used it ran another text. */
  readonly changed: boolean;
}

export interface NestedSources {
  /**
   * The same text for the whole of an execution.
   * @throws PalliumError `workflow_not_found`, `invalid_id`, or for a script that is none.
   */
  load(name: string): Promise<NestedSource>;
  /** Whether any that was loaded is another text than the first execution ran. */
  anyChanged(): Promise<boolean>;
}

interface Kept {
  /** Hashes of texts. */
  readonly first: string;
  readonly last: string;
}

/** @param cwd of the run. */
export function createNestedSources(
  { git, environment }: Pick<WorkflowPowers, "git" | "environment">,
  reader: Reader,
  run: { readonly id: string; readonly cwd: string },
  notice: (line: string) => void,
): NestedSources {
  const loading = new Map<string, Promise<NestedSource>>();
  let kept: ReadonlyMap<string, Kept> | undefined;

  async function fileOf(name: string): Promise<string> {
    const repositoryTop = await git.topLevel(run.cwd);
    return findSavedWorkflow(name, { cwd: run.cwd, repositoryTop, home: environment.home });
  }

  async function read(id: string): Promise<NestedSource> {
    kept ??= readKept(reader, run.id);
    const before = kept.get(id);
    try {
      const path = await fileOf(id);
      const script = await scriptSource(await readScriptText(path), basename(path));
      const changed = before !== undefined && before.first !== script.hash;
      if (changed) notice(changedText(id));
      return { name: id, script, changed };
    } catch (error) {
      if (before === undefined || !isGone(error)) throw error;
      notice(`saved workflow "${id}" is gone; the text that was kept with the run is used`);
      const text = requireArtifact(reader, before.last);
      const script = await scriptSource(text, `${id}.js`);
      return { name: id, script, changed: before.first !== script.hash };
    }
  }

  return {
    load: (name) => {
      const id = savedWorkflowId(name);
      const source = loading.get(id) ?? read(id);
      loading.set(id, source);
      return source;
    },
    anyChanged: async () => {
      const loaded = await Promise.allSettled(loading.values());
      return loaded.some((source) => source.status === "fulfilled" && source.value.changed);
    },
  };
}

function changedText(id: string): string {
  return `saved workflow "${id}" changed since original run; unchanged calls will replay from cache`;
}

function isGone(error: unknown): boolean {
  return (
    error instanceof PalliumError &&
    (error.code === "workflow_not_found" || error.code === "script_not_found")
  );
}

/** The texts of the saved workflows that a run ran, by name. */
export function readKept(reader: Reader, runId: string): ReadonlyMap<string, Kept> {
  const kept = new Map<string, Kept>();
  const rows = reader.all<{ name: string; script: string }>(
    `SELECT data ->> '$.name' AS name, data ->> '$.script' AS script FROM workflow_events
     WHERE run_id = ? AND type = 'nested' ORDER BY seq`,
    runId,
  );
  for (const { name, script } of rows) {
    kept.set(name, { first: kept.get(name)?.first ?? script, last: script });
  }
  return kept;
}
