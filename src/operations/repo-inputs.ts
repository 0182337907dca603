/** zod schemas of what the operations of repo memory take. */
import { z } from "zod";

const repo = { repo: z.string().optional().describe("a folder of the repository") };
const path = { ...repo, path: z.string().describe("a file, from where the user stands") };
const range = {
  words: z.array(z.string()).describe("base and repository, in either order"),
};
const limit = { limit: z.int().min(1) };

export const repoInputs = {
  index: z.strictObject({ ...repo, full: z.boolean().optional() }),
  doctor: z.strictObject(repo),
  risk: z.strictObject(path),
  neighbors: z.strictObject({ ...path, ...limit }),
  decisions: z.strictObject({
    words: z.array(z.string()).describe("the question; the last may be a folder of the repository"),
    ...limit,
  }),
  explain: z.strictObject(path),
  safe: z.strictObject(path),
  plan: z.strictObject(path),
  "changed-now": z.strictObject(repo),
  review: z.strictObject({
    ...range,
    staged: z.boolean().optional().describe("only what is staged"),
  }),
  handoff: z.strictObject(range),
  "workflow.preflight": z.strictObject({
    ...repo,
    task: z.string(),
    scope: z.array(z.string()).describe("files and folders"),
  }),
  verify: z.strictObject({
    ...repo,
    tier: z.string().describe("fast, safe or full"),
    base: z.string().optional().describe("revision that the change is measured from"),
    keep_going: z.boolean().optional(),
    timeout: z.int().min(1).optional().describe("seconds that each command may take"),
    command: z.string().optional().describe("a shell command to run in place of the plan"),
    dry_run: z.boolean().optional(),
  }),
  map: z.strictObject({
    ...repo,
    ...limit,
    html: z.string().optional().describe("where to write the map as a page"),
    force: z.boolean().optional().describe("whether it may take the place of another file"),
  }),
  score: z.strictObject({
    ...repo,
    commits: z.int().min(1),
    time_limit: z.int().min(1).describe("seconds"),
  }),
  "task.start": z.strictObject({
    ...repo,
    goal: z.string(),
    scope: z.array(z.string()).describe("files, folders and globs; everything without any"),
    expires: z.string().optional().describe("such as 30m"),
  }),
  "task.show": z.strictObject(repo),
  "task.clear": z.strictObject(repo),
} as const;
