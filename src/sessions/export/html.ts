/** Conversations as a page: one file without scripts that asks nothing of the network. */
import { createHash } from "node:crypto";
import { printable } from "../../lib/printable.ts";
import { shortTime } from "../../lib/short-time.ts";
import { type ExportedSession, factsOf, listsOf, speakerOf, WARNING } from "./exported.ts";

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --tool: #8881; --user: #2a6fd61f; --soft: #666; }
@media (prefers-color-scheme: dark) { :root { --soft: #aaa; } }
body { background: Canvas; color: CanvasText; font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; overflow-wrap: anywhere; }
h2 { font-size: 1rem; margin: 1.5rem 0 .3rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; font-size: .9rem; }
dt, time, .line { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
pre { font: 14px/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere;
  margin: 0; padding: .6rem .8rem; border: 1px solid var(--line); border-radius: 6px; }
article { margin: 1rem 0; }
article header { display: flex; gap: .8rem; font-size: .85rem; align-items: baseline; }
.user pre { background: var(--user); }
.tool pre { background: var(--tool); max-height: 24rem; overflow: auto; }
.warning { border-left: 4px solid #c80; padding-left: .8rem; }
section + section { border-top: 2px solid var(--line); margin-top: 3rem; }
`;
const DIGEST = createHash("sha256").update(STYLE).digest("base64");
const POLICY = `default-src 'none'; style-src 'sha256-${DIGEST}'; base-uri 'none'; form-action 'none'`;

export function* htmlExport(sessions: Iterable<ExportedSession>): Generator<string> {
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>Sessions of agents</title>
<style>${STYLE}</style>
</head>
<body>
<p class="warning">${escaped(WARNING)}</p>
`;
  for (const { session, messages } of sessions) {
    yield head(session);
    for (const { line_no: line, timestamp, role, kind, text } of messages) {
      const speaker = escaped(speakerOf({ line_no: line, timestamp, role, kind, text }));
      const time = timestamp === "" ? "" : `<time>${escaped(timestamp)}</time>`;
      yield `<article class="${CLASSES[role] ?? "tool"}"><header><strong>${speaker}</strong>` +
        `<span class="line">line ${line}</span>${time}</header>\n<pre>${escaped(text)}</pre></article>\n`;
    }
    yield "</section>\n";
  }
  yield "</body>\n</html>\n";
}

const CLASSES: Readonly<Record<string, string>> = { user: "user", assistant: "assistant" };

function head(session: ExportedSession["session"]): string {
  const { age_seconds: age } = session.recalled;
  const old: readonly (readonly [string, string])[] =
    age === null ? [] : [["age", shortTime(age * 1000)]];
  const facts = [...factsOf(session), ...old].map(
    ([name, value]) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`,
  );
  const lists = listsOf(session).map(
    ([name, entries]) =>
      `<details><summary>${name} (${entries.length})</summary><pre>${escaped(entries.join("\n"))}</pre></details>\n`,
  );
  return `<section>\n<h1>${escaped(session.title)}</h1>\n<dl>${facts.join("")}</dl>\n${lists.join("")}`;
}

const MEANT: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => MEANT[character] ?? "");
}
