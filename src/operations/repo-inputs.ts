/** zod schemas of what the operations of repo memory take. */
import { z } from "zod";

const repo = { repo: z.string().optional().describe("a folder of the repository") };
const path = { ...repo, path: z.string().describe("a file, from where the user stands") };
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
  "task.start": z.strictObject({
    ...repo,
    goal: z.string(),
    scope: z.array(z.string()).describe("files, folders and globs; everything without any"),
    expires: z.string().optional().describe("such as 30m"),
  }),
  "task.show": z.strictObject(repo),
  "task.clear": z.strictObject(repo),
} as const;
