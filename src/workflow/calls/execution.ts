/** What the calls of one execution share. Made by `run/run-workflow`, handed to every call. */
import type { Json } from "../../lib/json.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Ids } from "../../platform/ids.ts";
import type { Looks } from "../../platform/process/looks.ts";
import type { Prices } from "../../providers/prices.ts";
import type { Providers } from "../../providers/resolve.ts";
import type { SecretScan } from "../../secrets/finding.ts";
import type { RunEdits } from "../edits/run-edits.ts";
import type { SchemaValidator } from "../engine/schema-host.ts";
import type { Player } from "../recordings/player.ts";
import type { Recorder } from "../recordings/recorder.ts";
import type { Breaker } from "../run/breaker.ts";
import type { Budget } from "../run/budget.ts";
import type { CallStops } from "../run/call-stops.ts";
import type { CoolDowns } from "../run/cool-down.ts";
import type { DecisionLog } from "../run/decisions.ts";
import type { Drain } from "../run/drain.ts";
import type { GateDecisions } from "../run/gate-decisions.ts";
import type { Journal } from "../run/journal.ts";
import type { Notify } from "../run/notify.ts";
import type { OpenCall, Recorded, SettledCall } from "../run/replay.ts";
import type { Slots } from "../run/slots.ts";
import type { TokenBudget } from "../run/token-budget.ts";
import type { AgentStatus } from "../run/types.ts";
import type { FinishedCalls } from "./finished.ts";
import type { Lull } from "./lull.ts";
import type { RepoCalls } from "./repo-calls.ts";

export interface Execution {
  readonly runId: string;
  readonly task: string;
  /** Canonical working directory of the run. */
  readonly cwd: string;
  /** Directory of the run's files; calls have theirs in `calls/<id>` below it. */
  readonly directory: string;
  readonly args: Json;
  readonly argsHash: string;
  readonly allowNetwork: boolean;
  /** Per agent; 0 for none. */
  readonly timeoutSeconds: number;
  /** Agents the run may start in its whole life. */
  readonly maxAgents: number;
  readonly journal: Journal;
  /** Calls that earlier executions settled `ok`. */
  readonly settled: Recorded<SettledCall>;
  /** Calls that earlier executions left at work. */
  readonly open: Recorded<OpenCall>;
  readonly clock: Clock;
  readonly budget: Budget;
  readonly tokens: TokenBudget;
  readonly prices: Prices;
  readonly slots: Slots;
  /** As many as are asked for. */
  readonly freeSlots: Slots;
  readonly breaker: Breaker;
  readonly coolDowns: CoolDowns;
  /** How often a call is tried again whose provider was busy. */
  readonly retries: number;
  /** Providers that may stand in for the default one. */
  readonly fallback: readonly string[];
  readonly occurrence: (scope: string, fingerprint: string) => number;
  readonly ids: Ids;
  readonly providers: Providers;
  /** Records what agents answer. */
  readonly recorder?: Recorder;
  /** Answers in the place of every provider. */
  readonly player?: Player;
  readonly validator: SchemaValidator;
  readonly repo: RepoCalls;
  /** Where calls work, and what they edited so far. */
  readonly edits: RunEdits;
  readonly scanPatch: (patch: string) => Promise<SecretScan>;
  /** Whether the script, or its args, are others than when the run began. */
  readonly scriptChanged: boolean;
  /** Of the calls that its scripts make. */
  readonly lull: Lull;
  /** What ended so far in this execution, replayed calls included. */
  readonly finished: FinishedCalls;
  readonly gates: GateDecisions;
  readonly decisions: DecisionLog;
  /** Environment of workers, complete but for what a provider adds. */
  readonly workerEnvironment: Readonly<Record<string, string>>;
  /** At the processes, shared by the calls that are taken over or ended at the same time. */
  readonly looks: Looks;
  readonly outputLimitBytes: number;
  /** Aborted when the run is paused or stopped, or its script had to be ended by force. */
  readonly signal: AbortSignal;
  readonly drain: Drain;
  readonly callStops: CallStops;
  /** Whether workers that are being ended get no more grace. */
  readonly isUrgent: () => boolean;
  readonly admission: Admission;
  /** What a call that was cut short is left as. */
  readonly interruptedStatus: () => AgentStatus;
  /** Lines for the person who watches: how it goes on, every step of it, what must not be missed. */
  readonly notice: (line: string) => void;
  readonly detail: (line: string) => void;
  readonly warn: (line: string) => void;
  /** Tells somebody who is not watching. */
  readonly notify: Notify;
  readonly agents: AgentCount;
  /** Ids of the agents this execution started, took over or replayed. */
  readonly agentIds: Set<string>;
  /** Errors whose failure the journal has already. */
  readonly recordedErrors: WeakSet<object>;
}

/** What a call is made from; nothing in it can start one. */
export type CallSetting = Pick<
  Execution,
  | "cwd"
  | "args"
  | "timeoutSeconds"
  | "allowNetwork"
  | "providers"
  | "fallback"
  | "finished"
  | "notice"
>;

/** Closed once the script is over: what is at work finishes, what still waits for a slot never starts. */
export interface Admission {
  open: boolean;
}

/** Agents started so far, earlier executions included. */
export interface AgentCount {
  started: number;
}
