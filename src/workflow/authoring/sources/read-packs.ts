/** The packs of a source: those that its manifest names, else the scripts that lie there. */
import { PalliumError } from "../../../lib/errors.ts";
import { isRecord, type Json } from "../../../lib/json.ts";
import { stemOf } from "../../../lib/slash-path.ts";
import { ScriptFault } from "../../script/fault.ts";
import { compileScript } from "../../script/prepare.ts";
import { declaredPhases } from "../../script/warnings/phases.ts";
import type { WorkflowPack } from "../packs/catalogue.ts";
import { savedWorkflowId } from "../saved.ts";
import { MANIFEST, type PackEntry, parseManifest } from "./manifest.ts";
import { MOST_BYTES, type PackFiles } from "./pack-files.ts";

/** Where scripts lie that need not say what they are. */
const SAVED = ".pallium/workflows";
const SCRIPT = /\.js$/;
const NO_VERSION = "0.0.0";

export interface SourcePack {
  readonly pack: WorkflowPack;
  /** Text of its script, which may be invalid. */
  readonly script: string;
  /** Path of that in the source. */
  readonly file: string;
}

/**
 * Without a manifest these are the scripts of `.pallium/workflows`, and those at the top that begin
 * with a meta block.
 * @param shown names the source in messages.
 * @throws PalliumError `pack_source_invalid`, `invalid_id`
 */
export async function readPacks(files: PackFiles, shown: string): Promise<readonly SourcePack[]> {
  const text = await files.read(MANIFEST);
  if (text === undefined) return scriptsOf(files, shown);
  const manifest = parseManifest(text);
  if ("fault" in manifest) throw invalid(`${MANIFEST} of ${shown} ${manifest.fault}`);
  return Promise.all(
    manifest.packs.map(async (entry) => {
      const script = await files.read(entry.script);
      if (script === undefined) throw invalid(`${MANIFEST} of ${shown} ${missing(entry)}`);
      return described(entry, script, await metaOf(script));
    }),
  );
}

async function scriptsOf(files: PackFiles, shown: string): Promise<readonly SourcePack[]> {
  const found: SourcePack[] = [];
  for (const folder of ["", SAVED]) {
    for (const name of (await files.list(folder)).filter((name) => SCRIPT.test(name))) {
      const file = folder === "" ? name : `${folder}/${name}`;
      const script = await files.read(file);
      if (script === undefined) continue;
      const meta = await metaOf(script);
      if (meta === null && folder === "") continue;
      found.push(described({ name: stemOf(name), script: file }, script, meta));
    }
  }
  if (found.length > 0) return found;
  throw invalid(`there are no packs in ${shown}: no ${MANIFEST}, and no script with a meta block`);
}

function described(entry: PackEntry, script: string, meta: Json): SourcePack {
  const { name, version = NO_VERSION, tags = [], phases = declaredPhases(meta) } = entry;
  const said = isRecord(meta) && typeof meta.description === "string" ? meta.description : "";
  return {
    pack: {
      name: savedWorkflowId(name),
      version,
      description: entry.description ?? said,
      tags,
      installs_as: savedWorkflowId(entry.installs_as ?? name),
      phases,
    },
    script,
    file: entry.script,
  };
}

/** `null` where a script has none, or is invalid. */
async function metaOf(script: string): Promise<Json> {
  try {
    return (await compileScript(script, "script.js")).meta;
  } catch (error) {
    if (error instanceof ScriptFault) return null;
    throw error;
  }
}

function missing({ name, script }: PackEntry): string {
  const limit = `${MOST_BYTES / 1024 / 1024} MiB`;
  return `names ${script} as the script of ${name}, which is no file of it of up to ${limit}`;
}

function invalid(message: string): PalliumError {
  return new PalliumError("pack_source_invalid", message, {
    hints: [
      `a ${MANIFEST} looks like {"name": "review", "script": "review.js"}, or {"packs": […]}`,
    ],
  });
}
