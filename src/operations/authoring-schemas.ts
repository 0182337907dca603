/** zod schemas of what operations of those return who write workflows. */
import { z } from "zod";
import { texts } from "./fields.ts";

const template = z.strictObject({
  name: z.string(),
  aliases: texts.optional(),
  style: z.string(),
  description: z.string(),
  phases: texts,
  requires_test_command: z.boolean().optional(),
  example: z.string().describe("a command line"),
});

const pack = z.strictObject({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  tags: texts,
  installs_as: z.string(),
  phases: texts,
});

export const authoringOutputs = {
  "workflow.generate": z.strictObject({
    path: z.string().describe("empty where no file was asked for"),
    script: z.string(),
    style: z.string().describe("as it was asked for"),
    task: z.string(),
  }),
  "workflow.types": z.strictObject({
    path: z.string().describe("empty where no file was asked for"),
    text: z.string().describe("TypeScript declarations"),
  }),
  "workflow.save": z.strictObject({ path: z.string() }),
  "workflow.template.list": z.array(template),
  "workflow.template.show": template,
  "workflow.library.list": z.array(pack),
  "workflow.library.show": pack,
  "workflow.library.install": z.strictObject({
    pack,
    path: z.string(),
    workflow: z.string().describe("the name it is saved under"),
    installed: z.literal(true),
    source: z.string().optional().describe("folder or repository, unless it came with pallium"),
    commit: z.string().optional().describe("full hash, where it came from git"),
  }),
};
