/** What is measured: the start of the program, a thousand calls, their replay, and a stop. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Benchmark, timeCommand, type Workplace } from "./measure.ts";
import type { Programs } from "./programs.ts";

const THOUSAND = `
const items = Array.from({ length: 1000 }, (_, index) => index);
const answers = await parallel(items, (index) => agent("item " + index));
if (answers.includes(null)) throw new Error("a call failed");
return answers.length;
`;

/** Writes down when it is asked to end. `wait` is left for a signal at once, a command is not. */
const STOPPABLE = [
  `trap 'date +%s%N > "$HOME/stopped.part"; mv "$HOME/stopped.part" "$HOME/stopped"; exit 143' TERM`,
  'touch "$HOME/ready"',
  "while :; do sleep 0.05 & wait; done",
].join("\n");

/** Agents at work at once in a wide run. */
const MANY = 96;

export function benchmarks(programs: Programs, place: Workplace): readonly Benchmark[] {
  const script = join(place.directory, "thousand.js");
  writeFileSync(script, THOUSAND);
  const stubbed = { ...place, env: { ...place.env, PALLIUM_WORKFLOW_AGENT_STUB: "answer" } };
  const empty = () => timeCommand([programs.empty], place);
  const transactions = () => timeCommand([programs.transactions], place);
  const workflow = (...words: string[]) =>
    timeCommand([programs.pallium, "workflow", ...words, "--json"], stubbed);
  return [
    {
      name: "`pallium version`",
      baseline: "an empty program",
      runs: 21,
      measure: () => timeCommand([programs.pallium, "version"], place),
      measureBaseline: empty,
    },
    {
      name: "1,000 stub agents in one `parallel`",
      baseline: "1,000 SQLite transactions",
      runs: 7,
      measure: (round) => workflow("run", "--id", `wf-${round}`, "--script", script),
      measureBaseline: transactions,
    },
    {
      name: "resume of that run, all from the journal",
      baseline: "1,000 SQLite transactions",
      runs: 7,
      measure: (round) => workflow("resume", `wf-${round}`),
      measureBaseline: transactions,
    },
    {
      name: "`workflow stop`, from its start to the worker's SIGTERM",
      baseline: "an empty program",
      runs: 7,
      measure: (round) => timeStop(programs, place, `wf-stop-${round}`),
      measureBaseline: empty,
    },
    {
      name: `\`workflow stop\` of ${MANY} agents at work, from its start to the run's end`,
      baseline: "the same of one agent",
      runs: 5,
      measure: (round) => timeEnd(programs, place, `wf-many-${round}`, MANY),
      measureBaseline: (round) => timeEnd(programs, place, `wf-single-${round}`, 1),
    },
  ];
}

/** Stops so many agents, each with a child of its own, once all are at work. */
async function timeEnd(
  programs: Programs,
  place: Workplace,
  id: string,
  agents: number,
): Promise<number> {
  const work = join(place.directory, id);
  const script = `${work}.js`;
  mkdirSync(work);
  writeFileSync(
    script,
    `return await parallel(Array(${agents}).fill("wait"), (prompt) => agent(prompt));`,
  );
  const command = `touch "${work}/$PALLIUM_WORKFLOW_AGENT_ID"
if [ "$(ls "${work}" | wc -l)" -ge ${agents} ]; then touch "${work}/ready"; fi
sleep 300 & wait`;
  const flags = ["--max-concurrent-agents", `${agents}`];
  const ended = startWaiting(programs, place, ["--id", id, "--script", script, ...flags], command);
  await fileAppears(join(work, "ready"), ended);
  const begun = performance.now();
  await timeCommand([programs.pallium, "workflow", "stop", id], place);
  await ended;
  return performance.now() - begun;
}

/** Starts a run whose agents are a shell command. @returns what settles when it has ended. */
function startWaiting(
  programs: Programs,
  place: Workplace,
  words: readonly string[],
  command: string,
): Promise<unknown> {
  const env = {
    ...place.env,
    PALLIUM_WORKFLOW_PROVIDER: "waiting",
    PALLIUM_WORKFLOW_PROVIDER_WAITING_COMMAND: command,
  };
  const run = spawn(programs.pallium, ["workflow", "run", ...words], {
    cwd: place.directory,
    env,
    stdio: "ignore",
  });
  return once(run, "exit");
}

async function timeStop(programs: Programs, place: Workplace, id: string): Promise<number> {
  const ready = join(place.directory, "ready");
  const stopped = join(place.directory, "stopped");
  const script = join(place.directory, "one.js");
  for (const file of [ready, stopped]) rmSync(file, { force: true });
  writeFileSync(script, `return await agent("wait");`);
  const ended = startWaiting(programs, place, ["--id", id, "--script", script], STOPPABLE);
  await fileAppears(ready, ended);
  const begun = performance.timeOrigin + performance.now();
  await timeCommand([programs.pallium, "workflow", "stop", id], place);
  await ended;
  return Number(readFileSync(stopped, "utf8")) / 1e6 - begun;
}

/** @throws when `ended` resolves before the file is there. */
async function fileAppears(path: string, ended: Promise<unknown>): Promise<void> {
  const { promise: appeared, resolve } = Promise.withResolvers<void>();
  const look = () => existsSync(path) && resolve();
  const watcher = watch(join(path, ".."), look);
  look();
  const early = ended.then(() => {
    throw new Error("the run ended before its worker began");
  });
  await Promise.race([appeared, early]).finally(() => watcher.close());
}
