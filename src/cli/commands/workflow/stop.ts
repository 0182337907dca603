import { endRunCommand } from "./end-run.ts";

export const command = endRunCommand("stop");
