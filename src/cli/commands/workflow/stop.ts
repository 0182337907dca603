import { endRunCommand } from "./end-run.ts";

export const command = endRunCommand("stop", "Stop a run and wait until its workers are gone");
