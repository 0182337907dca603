import type { Output } from "../cli/program.ts";
import { messageOf, PalliumError } from "../lib/errors.ts";

export interface ProcessOutput extends Output {
  /** Resolves when every message is out; exiting before would cut it off. */
  flush(): Promise<void>;
}

/** Resolves with the error, if any, when the stream has taken the text whole. */
function write(stream: NodeJS.WriteStream, text: string): Promise<Error | undefined> {
  return new Promise((resolve) => {
    stream.write(text, (error) => resolve(error ?? undefined));
  });
}

function isBrokenPipe(error: Error): boolean {
  return "code" in error && error.code === "EPIPE";
}

/** This process's stdout and stderr. What becomes of each write is told by its callback alone. */
export function processOutput(): ProcessOutput {
  const reported = () => {};
  process.stdout.on("error", reported);
  process.stderr.on("error", reported);
  let lastMessage: Promise<unknown> = Promise.resolve();
  return {
    data: async (text) => {
      const error = await write(process.stdout, text);
      if (error === undefined || isBrokenPipe(error)) return;
      throw new PalliumError("output_failed", `cannot write to stdout: ${messageOf(error)}`, {
        cause: error,
        hints: ["look at the disk or device that stdout is redirected to"],
      });
    },
    message: (text) => {
      lastMessage = write(process.stderr, text);
    },
    flush: async () => {
      await lastMessage;
    },
  };
}
