import type { Output, Terminal } from "../cli/program.ts";
import { messageOf, PalliumError } from "../lib/errors.ts";

export interface ProcessOutput extends Output {
  /** Resolves when every message is out; exiting before would cut it off. */
  flush(): Promise<void>;
}

const STDOUT = 1;

function isBrokenPipe(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === "EPIPE";
}

async function writeData(data: string | Uint8Array): Promise<boolean> {
  try {
    await Bun.write(Bun.stdout, data);
    return true;
  } catch (thrown) {
    if (isBrokenPipe(thrown)) return false;
    throw new PalliumError("output_failed", `cannot write to stdout: ${messageOf(thrown)}`, {
      cause: thrown,
      hints: ["look at the disk or device that stdout is redirected to"],
    });
  }
}

const processTerminal: Terminal = {
  size: () => {
    const [columns, rows] = process.stdout.getWindowSize();
    return { columns, rows };
  },
  onResize: (listener) => {
    process.stdout.on("resize", listener);
    return () => process.stdout.off("resize", listener);
  },
};

/** Resolves when stderr has taken the text, or cannot: there is nowhere left to say so. */
function writeMessage(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stderr.write(text, () => resolve());
  });
}

/**
 * This process's stdout and stderr. The streams of `process` take longer to make than `version`
 * takes to run, so data goes around them, and stderr's is made for the first message.
 */
export function processOutput(): ProcessOutput {
  let lastMessage: Promise<void> | undefined;
  let waiting = 0;
  return {
    data: async (data) => {
      await lastMessage;
      return writeData(data);
    },
    message: (text) => {
      if (lastMessage === undefined) process.stderr.on("error", () => {});
      waiting += text.length;
      lastMessage = writeMessage(text).then(() => {
        waiting -= text.length;
      });
    },
    waiting: () => waiting,
    readerGone: async () => (await import("../platform/hang-up.ts")).hangUpOf(STDOUT),
    confirm: async (question, signal) => {
      await lastMessage;
      const { confirmOnTerminal } = await import("../platform/confirm.ts");
      return confirmOnTerminal(question, signal);
    },
    terminal: processTerminal,
    flush: async () => lastMessage,
  };
}
