/** Tries all escapes in our worker and prints how each ended, as JSON; compiled by a test. */
import { attempt } from "./attempt.ts";
import { ESCAPES } from "./escapes.ts";

const outcomes: Record<string, unknown> = {};
for (const { name, body } of ESCAPES) outcomes[name] = await attempt(body);
process.stdout.write(JSON.stringify(outcomes));
