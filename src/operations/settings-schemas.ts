/** zod schemas of what the operations on settings and trust return. */
import { z } from "zod";
import { time } from "./fields.ts";

const scope = z.enum(["user", "repository"]);
const trust = z.strictObject({
  path: z.string().describe("absolute path of the settings file"),
  sha256: z.string().describe("of what it held when it was trusted"),
  trusted_at: time,
});

export const settingsOutputs = {
  settings: z.strictObject({
    folder: z.string(),
    files: z.array(
      z.strictObject({
        scope,
        path: z.string(),
        state: z.enum(["missing", "in_use", "not_trusted", "changed", "unusable"]),
        reason: z.string().optional(),
      }),
    ),
    settings: z.array(
      z.strictObject({
        key: z.string(),
        value: z.json(),
        source: z.enum(["default", "user", "repository", "environment"]),
        where: z.string().optional().describe("file and line, or the name of the variable"),
      }),
    ),
    ignored: z.array(
      z.strictObject({
        key: z.string(),
        where: z.string(),
        reason: z.enum(["not_trusted", "trusted_before_it_changed"]),
      }),
    ),
  }),
  trust: z.strictObject({
    ...trust.shape,
    settings: z.array(z.strictObject({ key: z.string(), value: z.json() })),
  }),
  "trust.list": z.array(
    z.strictObject({ ...trust.shape, state: z.enum(["trusted", "changed", "missing"]) }),
  ),
  "trust.revoke": z.strictObject({ path: z.string(), revoked: z.literal(true) }),
} as const;
