/** The command `map`: the report, and its page where one is asked for. */
import { resolve } from "node:path";
import { PalliumError } from "../lib/errors.ts";
import { readHead } from "../platform/bounded-read.ts";
import { exists, writeFileDurable } from "../platform/files.ts";
import type { RepoObserver, RepoPowers } from "./powers.ts";
import { type MapReport, mapReport } from "./reports/map.ts";
import type { MapRequest } from "./requests.ts";
import { withRepository } from "./with-repository.ts";

/** Like any document that the user makes. */
const PAGE_MODE = 0o644;
/** The mark of a page stands near its beginning. In bytes. */
const MARK_WITHIN = 1000;

/** @throws PalliumError `not_indexed`, `file_exists`. */
export async function drawMap(
  powers: RepoPowers,
  request: MapRequest,
  observer: RepoObserver,
): Promise<MapReport> {
  const report = await withRepository(powers, request, observer, async ({ view, open }) => {
    const { repository, state } = open;
    const { head: commit = "", branch = "" } = state ?? {};
    return mapReport(view, { repo_root: repository.root, branch, commit }, request.limit);
  });
  if (request.html === undefined) return report;
  const path = resolve(powers.environment.cwd, request.html);
  await writePage(path, report, request.force ?? false);
  return { ...report, html_path: path };
}

async function writePage(path: string, report: MapReport, force: boolean): Promise<void> {
  const { mapPage, PAGE_MARK } = await import("./reports/map-page.ts");
  if (await exists(path)) {
    const head = await readHead(path, MARK_WITHIN);
    const isMap = head?.text.includes(PAGE_MARK) ?? false;
    if (!isMap && (head === undefined || !force)) throw occupied(path, head !== undefined);
  }
  await writeFileDurable(path, mapPage(report), PAGE_MODE);
}

function occupied(path: string, isFile: boolean): PalliumError {
  return new PalliumError("file_exists", `there is something else, no map of pallium's: ${path}`, {
    hints: [
      isFile ? "name another file, or have it replaced with --force" : "name a file of its own",
    ],
    exitCode: 2,
  });
}
