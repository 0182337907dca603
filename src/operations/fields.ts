/** zod schemas that many operations have in common. */
import { z } from "zod";

export const time = z.string().describe("UTC, ISO 8601 with milliseconds");
/** The same, or empty for never. */
export const timeOrEmpty = z.string().describe("UTC, ISO 8601 with milliseconds; empty for never");
export const count = z.int().min(0);
export const texts = z.array(z.string());
export const seconds = z.string().describe("UTC, ISO 8601 with whole seconds");
export const agentCounts = {
  agents_running: count,
  agents_completed: count,
  agents_failed: count,
  agents_stopped: count,
  agents_paused: count,
  agents_interrupted: count,
};
