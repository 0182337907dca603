/** The hidden command that executes the run it is handed over on stdin. */
export const RUNNER_COMMAND = "__runner";
