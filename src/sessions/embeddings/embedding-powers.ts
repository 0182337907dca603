/** What making vectors needs of the world. */
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import type { SessionObserver } from "../powers.ts";
import type { ModelPowers } from "./model.ts";

export interface EmbeddingPowers extends ModelPowers {
  readonly database: Database;
  readonly clock: Clock;
  readonly variables: Readonly<Record<string, string>>;
  readonly observer: SessionObserver;
  readonly signal: AbortSignal;
}
