/** Why a file is as risky as it is, in numbers. */
import { counted } from "../../lib/counted.ts";
import type { FileRow } from "../history/queries.ts";
import type { RepoView } from "./view.ts";

const DAY = 24 * 3600;
const RECENT_DAYS = 90;
/** A file above so many per cent of the others stands out. */
const STANDS_OUT = 70;
const MANY_USERS = 3;

/** At least one, the most telling first. */
export function riskReasons(view: RepoView, file: FileRow): readonly string[] {
  if (!view.files.paths.has(file.path)) {
    return [`the file no longer exists; ${counted(file.churn, "commit")} touched it`];
  }
  const { recent, fixes } = touches(view, file);
  const users = view.files.linksTo(file.path).length;
  const { busier, mended, larger, shared } = standing(view, file);
  const reasons: string[] = [];
  if (busier >= STANDS_OUT && file.churn > 1) {
    const when = recent > 0 ? `, ${recent} of them in ${RECENT_DAYS} days` : "";
    reasons.push(
      `touched by ${counted(file.churn, "commit")}${when}: busier than ${percent(busier)}`,
    );
  }
  if (mended >= STANDS_OUT && fixes > 0) {
    reasons.push(
      `${fixes} of ${counted(file.churn, "commit")} fixed something: more than ${percent(mended)}`,
    );
  }
  if (larger >= STANDS_OUT) reasons.push(`${file.lines} lines: longer than ${percent(larger)}`);
  if (shared >= STANDS_OUT && file.authorCount > 1) {
    reasons.push(`${file.authorCount} authors: more than ${percent(shared)}`);
  }
  if (users >= MANY_USERS) reasons.push(`${users} files use it`);
  return reasons.length > 0 ? reasons : [quiet(file)];
}

function quiet({ churn }: FileRow): string {
  if (churn === 0) return "the history says nothing of it";
  return `touched by ${counted(churn, "commit")}: nothing about it stands out`;
}

interface Touches {
  readonly recent: number;
  readonly fixes: number;
}

function touches({ index, now }: RepoView, { id }: FileRow): Touches {
  const row = index.get<Touches>(
    `SELECT count(*) FILTER (WHERE committed_at >= ?) AS recent,
       count(*) FILTER (WHERE is_fix = 1) AS fixes
     FROM touches JOIN commits ON commits.id = commit_id WHERE file_id = ?`,
    now - RECENT_DAYS * DAY,
    id,
  );
  return row ?? { recent: 0, fixes: 0 };
}

/** How many per cent of the files of the indexed commit have less of something than one. */
interface Standing {
  readonly busier: number;
  readonly mended: number;
  readonly larger: number;
  readonly shared: number;
}

function standing(view: RepoView, { id }: FileRow): Standing {
  const row = view.index.get<Standing>(
    `SELECT less_heat AS busier, less_fix_heat AS mended, less_lines AS larger,
       less_authors AS shared FROM files WHERE id = ?`,
    id,
  );
  return row ?? { busier: 0, mended: 0, larger: 0, shared: 0 };
}

function percent(share: number): string {
  return `${share} % of files`;
}
