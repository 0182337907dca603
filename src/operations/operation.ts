/** One thing the product can do, as the command line, servers and help all see it. */
import type { RunObserver } from "../workflow/powers.ts";
import type { Services } from "./services.ts";

export interface Operation<Input, Output> {
  readonly summary: string;
  call(services: Services, input: Input, observer: RunObserver): Promise<Output>;
}

/** An entry of the table; the types of what it takes and returns are those of its function. */
export function operation<Input, Output>(
  summary: string,
  call: Operation<Input, Output>["call"],
): Operation<Input, Output> {
  return { summary, call };
}
