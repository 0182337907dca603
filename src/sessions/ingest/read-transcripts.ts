/** Reads transcripts one after the other; one that cannot be read does not keep the others from it. */
import { PalliumError } from "../../lib/errors.ts";
import type { SecretScanner } from "../../secrets/scanner.ts";
import type { Read, ReadRequest } from "./pieces.ts";
import { readTranscript } from "./read-transcript.ts";
import { createRedactor } from "./redact-batch.ts";

const ABOUT_A_FILE = new Set(["permission_denied", "io_failed"]);

/** @param isSkipped whether a transcript need not be read any further. */
export async function* readTranscripts(
  requests: Iterable<ReadRequest> | AsyncIterable<ReadRequest>,
  scanner: SecretScanner,
  isSkipped: (request: ReadRequest) => boolean = () => false,
): AsyncGenerator<Read> {
  const redactor = createRedactor(scanner);
  for await (const request of requests) {
    try {
      for await (const piece of readTranscript(request, redactor)) {
        yield { request, piece };
        if (isSkipped(request)) break;
      }
    } catch (error) {
      if (!(error instanceof PalliumError) || !ABOUT_A_FILE.has(error.code)) throw error;
      yield { request, problem: error.message };
    }
  }
}
