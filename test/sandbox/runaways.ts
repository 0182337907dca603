/** Scripts that would run, grow or talk for ever, and the code of the limit that ends each. */
import { OPEN_CALL_LIMIT } from "../../src/workflow/engine/protocol.ts";

export interface Runaway {
  readonly name: string;
  readonly script: string;
  readonly code: "script_stalled" | "script_memory" | "too_many_calls";
}

export const STALL_SECONDS = 1;
export const MEMORY_MIB = 128;

/** From its limit to its end. */
export const STOPPED_WITHIN_MS = 1000;

/** Sets the limit that is meant to end a runaway so low that a test can wait for it. */
export const LIMIT_FLAGS: Readonly<Record<Runaway["code"], readonly string[]>> = {
  script_stalled: ["--script-stall", `${STALL_SECONDS}`],
  script_memory: ["--script-memory", `${MEMORY_MIB}`],
  too_many_calls: [],
};

/** The phase by which a script says that it has made as many calls as it may. */
export const FULL = "full";
const SAY_FULL = `if (i === ${OPEN_CALL_LIMIT}) phase("${FULL}");`;

const busy = (name: string, script: string): Runaway => ({ name, script, code: "script_stalled" });
const growing = (name: string, script: string): Runaway => ({
  name,
  script,
  code: "script_memory",
});

export const RUNAWAYS: readonly Runaway[] = [
  busy("while (true)", "while (true) {}"),
  busy("an infinite tail recursion", "const spin = (n) => spin(n + 1); return spin(0);"),
  busy("a mutual tail recursion", "const a = () => b(), b = () => a(); return a();"),
  busy("endless microtasks", "for (;;) await null;"),
  busy(
    "microtasks that start each other",
    "const again = () => { Promise.resolve().then(again); }; again(); await agent('x');",
  ),
  busy(
    "a promise chain without an end",
    "let p = Promise.resolve(); const go = () => { p = p.then(go); return null }; await go(); for (;;) await p;",
  ),
  busy("a hanging regular expression", `for (;;) /^(a+)+$/.test("a".repeat(60) + "b");`),
  busy(
    "a stack overflow caught for ever",
    "const f = () => 1 + f(); for (;;) try { f() } catch {}",
  ),
  busy("an iterable without an end", "for (const _ of (function* () { for (;;) yield 1 })()) ;"),
  busy("a getter of the result", "return { get x() { for (;;) {} } };"),
  busy("a getter of an argument", "await agent('x', { get label() { for (;;) {} } });"),
  busy("a callback of parallel", "await parallel([1], () => { for (;;) {} });"),
  busy("a stage of pipeline", "await pipeline([1], async () => { for (;;) await 0; });"),
  busy("a busy loop after a call", "await agent('x'); for (;;) {}"),
  busy("a busy loop beside a call", "agent('x'); for (;;) {}"),
  growing("an array that grows", "const a = []; for (;;) a.push({ n: a.length });"),
  growing("arrays within the cap", "const a = []; for (;;) a.push(new Array(1e6).fill(1));"),
  growing("buffers within the cap", "const a = []; for (;;) a.push(new Uint8Array(3e7).fill(1));"),
  growing("a Map that grows", "const m = new Map(); for (let i = 0; ; i++) m.set(i, { i });"),
  growing("a Set of strings", "const s = new Set(); for (let i = 0; ; i++) s.add('key ' + i);"),
  growing("keys of an object", "const o = {}; for (let i = 0; ; i++) o['k' + i] = { i };"),
  growing(
    "`+` that doubles and is read",
    "const a = []; for (;;) { let s = 'ab' + a.length; while (s.length < 2e7) s += s; a.push(s.toUpperCase()); }",
  ),
  growing(
    "join",
    "const a = Array(1e5).fill('x'.repeat(100)), b = []; for (;;) b.push(a.join(b.length));",
  ),
  growing(
    "replaceAll",
    "const a = []; for (;;) a.push('x'.repeat(1e5).replaceAll('x', 'y'.repeat(100) + a.length));",
  ),
  growing("split", "const a = []; for (;;) a.push(('x,' + a.length).repeat(1e5).split(','));"),
  growing("spread", "let a = [1, 2, 3, 4]; for (;;) a = [...a, ...a];"),
  growing(
    "promises that wait for each other",
    "const f = () => Promise.resolve().then(f); await f();",
  ),
  growing(
    "a promise chain that is kept",
    "const a = []; for (;;) { a.push(Promise.resolve(a.length).then((x) => [x])); if (a.length % 1e4 === 0) await 0; }",
  ),
  growing(
    "closures of async functions",
    "const a = []; for (;;) { a.push((async () => { await null; return a.length })()); }",
  ),
  growing("phases in a loop", "for (let i = 0; ; i++) phase('phase ' + i);"),
  busy(
    "dropped items in a loop",
    "for (;;) await parallel(Array(1000).fill(0), () => { throw new Error('no') });",
  ),
  busy("log lines in a loop", "for (;;) log('line');"),
  {
    name: "a million calls that nobody awaits",
    script: `for (let i = 0; i < 1e6; i++) { ${SAY_FULL} agent('call ' + i); }`,
    code: "too_many_calls",
  },
  {
    name: "calls that nobody awaits, their errors caught",
    script: `for (let i = 0; ; i++) { ${SAY_FULL} agent('x').catch(() => {}); }`,
    code: "too_many_calls",
  },
];
