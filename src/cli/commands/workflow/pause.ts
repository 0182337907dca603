import { endRunCommand } from "./end-run.ts";

export const command = endRunCommand("pause", "Pause a run; resume goes on with it");
