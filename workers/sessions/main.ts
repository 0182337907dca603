/** Worker that reads transcripts and takes their secrets out, while the index is written elsewhere. */
import type { ReaderCommand } from "../../src/sessions/ingest/reader-protocol.ts";
import { createReaderDesk } from "./desk.ts";

declare const self: Worker;

const take = createReaderDesk((reply) =>
  self.postMessage(reply, typeof reply === "string" ? [] : [reply.buffer]),
);
self.onmessage = ({ data }: MessageEvent<string>) => take(JSON.parse(data) as ReaderCommand);
self.postMessage(JSON.stringify({ type: "ready" }));
