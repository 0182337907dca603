/** `workflow library`: packs that come with the program, and those of folders and git repositories. */
import { resolve } from "node:path";
import { PalliumError, usageError } from "../../lib/errors.ts";
import { nearMatch } from "../../lib/near-match.ts";
import { optional } from "../../lib/optional.ts";
import { isDirectory, realPath } from "../../platform/files.ts";
import { interruptible } from "../../repo/interruptible.ts";
import type { RunObserver, WorkflowPowers } from "../powers.ts";
import { workingDirectory } from "../run/request.ts";
import { validateScript } from "../script/validate.ts";
import { PACKS, packOf, type WorkflowPack } from "./packs/catalogue.ts";
import { folderFiles } from "./sources/folder-files.ts";
import { fetchPacks } from "./sources/git-files.ts";
import { readPacks, type SourcePack } from "./sources/read-packs.ts";
import { isSource, type PackSource, readSource } from "./sources/source.ts";
import { workflowFile, writeWorkflow } from "./workflow-file.ts";

export interface LibraryRequest {
  /** A folder or a git repository; the packs that come with the program without. */
  readonly from?: string;
  /** Branch or tag of a git repository. */
  readonly ref?: string;
}

export interface PackRequest extends LibraryRequest {
  /** Name of a pack, or a source itself, with `#name` behind it where that has several. */
  readonly pack: string;
}

export interface InstallRequest extends PackRequest {
  /** Name to save it under; its own without. */
  readonly name?: string;
  readonly cwd?: string;
  /** Overwrite a saved workflow of that name. */
  readonly force?: boolean;
}

export interface InstalledPack {
  readonly pack: WorkflowPack;
  /** Absolute. */
  readonly path: string;
  /** Name of the saved workflow. */
  readonly workflow: string;
  readonly installed: true;
  /** Where it came from, unless it came with the program. */
  readonly source?: string;
  /** Full hash of the commit it came from. */
  readonly commit?: string;
}

/** What a source holds. */
interface Found {
  readonly packs: readonly SourcePack[];
  /** The source, as it may be shown. */
  readonly shown: string;
  readonly commit?: string;
}

/** @throws PalliumError `pack_source_refused`, `pack_source_not_found`, `pack_source_invalid`, `pack_fetch_failed` */
export async function listPacks(
  powers: WorkflowPowers,
  observer: RunObserver,
  { from, ref }: LibraryRequest,
): Promise<readonly WorkflowPack[]> {
  if (from === undefined) {
    refuseRef(ref);
    return PACKS;
  }
  const { source, pack } = readSource(from);
  const found = await look(powers, observer, source, ref);
  return (pack === undefined ? found.packs : [choose(found, pack)]).map((one) => one.pack);
}

/** @throws PalliumError `pack_not_found`, `usage`, those of `listPacks` */
export async function showPack(
  powers: WorkflowPowers,
  observer: RunObserver,
  request: PackRequest,
): Promise<WorkflowPack> {
  return (await findPack(powers, observer, request)).pack;
}

/** @throws PalliumError `pack_invalid`, `invalid_id`, `cwd_not_found`, `workflow_exists`, those of `showPack` */
export async function installPack(
  powers: WorkflowPowers,
  observer: RunObserver,
  request: InstallRequest,
): Promise<InstalledPack> {
  const { name, cwd, force } = request;
  const folder = await workingDirectory(powers, cwd);
  const { pack, script, file, source, commit } = await findPack(powers, observer, request);
  const { name: workflow, path } = workflowFile(folder, name ?? pack.installs_as);
  if (file !== undefined) await assertValid(observer, pack.name, script, file);
  await writeWorkflow(path, script, { what: `workflow "${workflow}"`, force: force === true });
  return { pack, path, workflow, installed: true, ...optional({ source, commit }) };
}

interface OnePack {
  readonly pack: WorkflowPack;
  readonly script: string;
  /** Of a pack that does not come with the program. */
  readonly file?: string;
  readonly source?: string;
  readonly commit?: string;
}

async function findPack(
  powers: WorkflowPowers,
  observer: RunObserver,
  { pack: word, from, ref }: PackRequest,
): Promise<OnePack> {
  if (from === undefined && !isSource(word)) {
    refuseRef(ref);
    const { script, ...pack } = packOf(word);
    return { pack, script };
  }
  const { source, pack = from === undefined ? undefined : word } = readSource(from ?? word);
  const found = await look(powers, observer, source, ref);
  const { shown, commit } = found;
  return { ...choose(found, pack), source: shown, ...optional({ commit }) };
}

async function look(
  powers: WorkflowPowers,
  observer: RunObserver,
  source: PackSource,
  ref: string | undefined,
): Promise<Found> {
  if (source.kind === "git") return fetched(powers, observer, source, ref);
  refuseRef(ref);
  const path = resolve(powers.environment.cwd, source.path);
  if (!(await isDirectory(path))) {
    throw new PalliumError("pack_source_not_found", `no such folder: ${path}`, {
      exitCode: 2,
      hints: ["name a folder that exists, or a git repository: https://host/packs.git"],
    });
  }
  const root = await realPath(path);
  return { packs: await readPacks(folderFiles(root), root), shown: root };
}

function fetched(
  powers: WorkflowPowers,
  observer: RunObserver,
  { url, shown }: { readonly url: string; readonly shown: string },
  ref: string | undefined,
): Promise<Found> {
  observer.notice(`fetching ${shown}`);
  const hint = "start it again: nothing was written";
  return interruptible(powers, observer, hint, async ({ git }) => {
    await using repository = await fetchPacks(git, url, ref);
    const { files, commit } = repository;
    return { packs: await readPacks(files, shown), shown, commit };
  });
}

/** @param name absent: the only one. */
function choose({ packs, shown }: Found, name: string | undefined): SourcePack {
  const names = packs.map(({ pack }) => pack.name);
  if (name === undefined) {
    const [only, ...others] = packs;
    if (only !== undefined && others.length === 0) return only;
    throw usageError(
      `there are several packs in ${shown}: ${names.join(", ")}`,
      `name one, such as ${shown}#${names[0]}`,
    );
  }
  const found = packs.find(({ pack }) => pack.name === name.trim());
  if (found !== undefined) return found;
  const near = nearMatch(name, names);
  throw new PalliumError("pack_not_found", `there is no pack ${name} in ${shown}`, {
    exitCode: 2,
    hints: [...(near === undefined ? [] : [`did you mean ${near}?`]), `it has ${names.join(", ")}`],
  });
}

async function assertValid(
  { warn }: RunObserver,
  name: string,
  script: string,
  file: string,
): Promise<void> {
  const { error, hints = [], warnings = [] } = await validateScript(script, file);
  for (const warning of warnings) warn(warning);
  if (error === undefined) return;
  throw new PalliumError("pack_invalid", `the script of pack ${name} is invalid: ${error}`, {
    hints: [...hints, "nothing was installed"],
  });
}

function refuseRef(ref: string | undefined): void {
  if (ref === undefined) return;
  throw usageError("--ref is for git repositories", "name one, such as https://host/packs.git");
}
