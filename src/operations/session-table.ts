/** What session memory can do: a part of the one table. */

import type { EmbedRequest } from "../sessions/embeddings/embed.ts";
import type { SemanticRequest } from "../sessions/embeddings/semantic-hit.ts";
import type { ExportRequest } from "../sessions/export/export-sessions.ts";
import type { IndexRequest } from "../sessions/ingest/run-index.ts";
import type { ForgetRequest } from "../sessions/keeping/forget.ts";
import type { PruneRequest } from "../sessions/keeping/prune.ts";
import type { LiveRequest } from "../sessions/live/types.ts";
import type { RelatedRequest, WhyRequest } from "../sessions/related/operations.ts";
import type { ListRequest } from "../sessions/reports/list.ts";
import type { ShowRequest } from "../sessions/reports/show.ts";
import type { GrepRequest } from "../sessions/search/grep.ts";
import type { AnySearch, StoreRequest } from "../sessions/service.ts";
import { operation } from "./operation.ts";

export const sessionOperations = {
  "sessions.index": operation(
    "Read what agents said and did since the last time, secrets taken out",
    async ({ sessions }, input: IndexRequest, observer) =>
      (await sessions()).index(input, observer),
  ),
  "sessions.list": operation(
    "List sessions of agents, the latest first",
    async ({ sessions }, input: StoreRequest & ListRequest) => (await sessions()).list(input),
  ),
  "sessions.search": operation(
    "Find sessions by what was said in them, in plain language",
    async ({ sessions }, input: StoreRequest & AnySearch, observer) =>
      (await sessions()).search(input, observer),
  ),
  "sessions.semantic": operation(
    "Find sessions by what was meant in them, by vectors of a model",
    async ({ sessions }, input: StoreRequest & SemanticRequest, observer) =>
      (await sessions()).semantic(input, observer),
  ),
  "sessions.embed": operation(
    "Have a model make vectors of what was said, for semantic and hybrid search",
    async ({ sessions }, input: StoreRequest & EmbedRequest, observer) =>
      (await sessions()).embed(input, observer),
  ),
  "sessions.grep": operation(
    "Find messages that hold a text, character by character",
    async ({ sessions }, input: StoreRequest & GrepRequest) => (await sessions()).grep(input),
  ),
  "sessions.related": operation(
    "Find sessions that have to do with a repository or files of it",
    async ({ sessions }, input: RelatedRequest) => (await sessions()).related(input),
  ),
  "sessions.why": operation(
    "Say which commits made a file or a line what it is, and the sessions and prompts behind them",
    async ({ sessions }, input: WhyRequest) => (await sessions()).why(input),
  ),
  "sessions.show": operation(
    "Show one session, with everything that was said where asked for",
    async ({ sessions }, input: StoreRequest & ShowRequest) => (await sessions()).show(input),
  ),
  "sessions.stats": operation(
    "Count what session memory holds",
    async ({ sessions }, input: StoreRequest) => (await sessions()).stats(input),
  ),
  "sessions.live": operation(
    "List the sessions that agents are in right now",
    async ({ sessions }, input: LiveRequest, observer) => (await sessions()).live(input, observer),
  ),
  "sessions.watch": operation(
    "Show the sessions that agents are in, every two seconds",
    async ({ sessions }, input: LiveRequest, observer) => (await sessions()).watch(input, observer),
  ),
  "sessions.doctor": operation(
    "Say where session memory is, in what state, and what to do about it",
    async ({ sessions }, input: StoreRequest) => (await sessions()).doctor(input),
  ),
  "sessions.export": operation(
    "Write whole conversations as one document: Markdown, JSON or a page",
    async ({ sessions }, input: StoreRequest & ExportRequest) => (await sessions()).export(input),
  ),
  "sessions.forget": operation(
    "Erase sessions from this memory for good; no index brings them back",
    async ({ sessions }, input: StoreRequest & ForgetRequest, observer) =>
      (await sessions()).forget(input, observer),
  ),
  "sessions.prune": operation(
    "Remove sessions that are old, or whose transcripts are gone",
    async ({ sessions }, input: StoreRequest & PruneRequest) => (await sessions()).prune(input),
  ),
} as const;
