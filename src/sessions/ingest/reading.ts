/** Where transcripts are read: here, or in a Worker beside the writing when there is much. */
import { cores } from "../../platform/cores.ts";
import type { Reading, ReadRequest } from "./pieces.ts";
import { readBeside } from "./read-beside.ts";
import { readTranscripts } from "./read-transcripts.ts";
import type { IndexPowers } from "./rules.ts";

/** Less than this is read before a Worker would have started. */
const WORTH_A_WORKER = 4_000_000;

/** @param bytes about how much there is to read. */
export function openReading(
  { readerWorker, createScanner, signal }: IndexPowers,
  requests: Iterable<ReadRequest>,
  bytes: number,
): Reading {
  if (readerWorker !== undefined && bytes >= WORTH_A_WORKER && cores() > 1) {
    return readBeside(readerWorker, requests, signal);
  }
  const skipped = new Set<ReadRequest>();
  return {
    reads: readTranscripts(requests, createScanner(), (request) => skipped.has(request)),
    skip: (request) => void skipped.add(request),
    [Symbol.dispose]: () => {},
  };
}
