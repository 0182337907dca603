/** Takes questions, has repository memory answer them, and says what came of each. */
import { errorData, PalliumError } from "../../src/lib/errors.ts";
import { createSemaphore } from "../../src/lib/semaphore.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { createGit } from "../../src/platform/git/runner.ts";
import { createIds } from "../../src/platform/ids.ts";
import { MARKER_VARIABLE } from "../../src/platform/process/marker.ts";
import type { RepoObserver } from "../../src/repo/powers.ts";
import { createRepoService, type RepoService } from "../../src/repo/service.ts";
import type { VerifyReport } from "../../src/repo/verify.ts";
import type {
  LineKind,
  RepoCommand,
  RepoQuestion,
  RepoReply,
  RepoSurroundings,
} from "../../src/workflow/engine/repo-protocol.ts";

type Ask = Extract<RepoCommand, { readonly type: "ask" }>;

export function createRepoDesk(post: (reply: RepoReply) => void): (command: RepoCommand) => void {
  const cancellations = new Map<number, AbortController>();
  // The first brings the index up to date for all; together they would each do so.
  const turns = createSemaphore(1);
  let surroundings: RepoSurroundings | undefined;

  async function answer({ id, question, marker }: Ask, signal: AbortSignal): Promise<RepoReply> {
    const release = question.service === "verify" ? undefined : await turns.acquire();
    try {
      signal.throwIfAborted();
      if (surroundings === undefined) throw new Error("asked before the start");
      const service = createService(surroundings, marker, signal);
      const report = await reportOf(service, question, observer(id, signal, post));
      return { type: "answered", id, report: JSON.stringify(report) };
    } catch (error) {
      return { type: "refused", id, error: errorData(error) };
    } finally {
      release?.();
    }
  }

  return (command) => {
    switch (command.type) {
      case "start":
        surroundings = command.surroundings;
        break;
      case "ask": {
        const cancellation = new AbortController();
        cancellations.set(command.id, cancellation);
        void answer(command, cancellation.signal).then((reply) => {
          cancellations.delete(command.id);
          post(reply);
        });
        break;
      }
      case "cancel":
        cancellations.get(command.id)?.abort(interrupted());
        break;
    }
  };
}

function createService(
  { environment, home }: RepoSurroundings,
  marker: string,
  signal: AbortSignal,
): RepoService {
  const variables = { ...environment.variables, [MARKER_VARIABLE]: marker };
  const clock = systemClock();
  return createRepoService({
    environment: { ...environment, variables },
    clock,
    ids: createIds(clock),
    git: createGit(variables).endedBy(signal),
    home,
  });
}

function observer(id: number, signal: AbortSignal, post: (reply: RepoReply) => void): RepoObserver {
  const line = (kind: LineKind) => (text: string) => post({ type: "line", id, kind, text });
  return {
    notice: line("notice"),
    detail: line("detail"),
    warn: line("warn"),
    onInterrupt(listener) {
      const onAbort = () => listener("stop");
      signal.addEventListener("abort", onAbort);
      return () => signal.removeEventListener("abort", onAbort);
    },
  };
}

async function reportOf(
  service: RepoService,
  question: RepoQuestion,
  observed: RepoObserver,
): Promise<object> {
  switch (question.service) {
    case "verify":
      return verification(await service.verify(question.input, observed), observed);
    case "review":
    case "handoff":
      return service[question.service](question.input, observed);
    case "explain":
    case "safe":
    case "plan":
      return service[question.service](question.input, observed);
    case "changedNow":
    case "taskShow":
    case "taskClear":
      return service[question.service](question.input, observed);
    case "preflight":
      return service.preflight(question.input, observed);
    case "taskStart":
      return service.taskStart(question.input, observed);
  }
}

/** One that was cut short says nothing of the change. */
function verification(report: VerifyReport, { notice }: RepoObserver): VerifyReport {
  if (report.results.some((result) => result.interrupted)) throw interrupted();
  const { exit_code, command } = report;
  if (exit_code !== 0) notice(`failed with exit code ${exit_code}: ${command}`);
  return report;
}

function interrupted(): PalliumError {
  return new PalliumError("interrupted", "the run was interrupted");
}
