import { decideGateCommand } from "./decide.ts";

export const command = decideGateCommand("reopen");
