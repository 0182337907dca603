import type { HandoffReport } from "../../../repo/reports/shapes.ts";

/** The document itself, to be written to a file or read as it is. */
export function handoffText({ document }: HandoffReport): string {
  return document;
}
