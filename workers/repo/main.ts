/** Worker that answers what scripts ask of repository memory: it may index, and may take long. */
import type { RepoCommand } from "../../src/workflow/engine/repo-protocol.ts";
import { createRepoDesk } from "./desk.ts";

declare const self: Worker;

const take = createRepoDesk((reply) => self.postMessage(JSON.stringify(reply)));
self.onmessage = ({ data }: MessageEvent<string>) => take(JSON.parse(data) as RepoCommand);
self.postMessage(JSON.stringify({ type: "ready" }));
