/**
 * Ways out of a script. Each is the body of an async function that returns "escaped" when it got
 * hold of something scripts must not have. None needs to be prepared as scripts are: the realm
 * must hold by itself.
 */
export interface Escape {
  readonly name: string;
  readonly body: string;
}

/** Gets from any function to the constructor of functions, and with it to the global object. */
const reach = (value: string) =>
  `return ${value}.constructor.constructor("return typeof process")() === "object" ? "escaped" : "no"`;

/** A global that only hosts have. */
const global = (name: string) => ({
  name: `the global ${name}`,
  body: `return typeof ${name} !== "undefined" && typeof globalThis.${name} !== "undefined" ? "escaped" : "no"`,
});

const CONSTRUCTOR_CHAINS: readonly Escape[] = [
  { name: "constructor of a literal", body: reach("({})") },
  { name: "constructor of args", body: reach("args") },
  { name: "constructor of a result", body: `const result = await agent("x"); ${reach("result")}` },
  {
    name: "constructor of a data result",
    body: `const result = await agent([{}]); ${reach("result[0]")}`,
  },
  { name: "constructor of a call's promise", body: reach(`agent("x")`) },
  {
    name: "constructor of a host error",
    body: `try { await agent("fail") } catch (error) { ${reach("error")} }`,
  },
  {
    name: "prototype chain of a host error's constructor",
    body: `try { await agent("fail") } catch (error) {
      for (let type = error.constructor; type; type = Object.getPrototypeOf(type)) {
        const own = Object.getOwnPropertyDescriptor(type, "captureStackTrace");
        if (own === undefined) continue;
        const target = {};
        own.value.call(type, target);
        if (/:\\d+:\\d+/.test(target.stack)) return "escaped";
      }
    }
    return "no"`,
  },
  {
    name: "constructor of an error of the API",
    body: `try { await parallel(null) } catch (error) { ${reach("error")} }`,
  },
  {
    name: "constructor of an error of the engine",
    body: `try { null.x } catch (error) { ${reach("error")} }`,
  },
  {
    name: "constructor of a stack overflow",
    body: `const deep = () => 1 + deep(); try { deep() } catch (error) { ${reach("error")} }`,
  },
  { name: "constructor of the API's functions", body: reach("({ agent }.agent)") },
  {
    name: "constructor of what parallel hands to its callback",
    body: `const [given] = await parallel([{}], (...all) => all); ${reach("given")}`,
  },
  {
    name: "constructor of what a thenable is handed",
    body: `return await { then(resolve) { resolve(resolve.constructor("return typeof process")() === "object" ? "escaped" : "no") } }`,
  },
  ...["async () => {}", "function* () {}", "async function* () {}"].map((text) => ({
    name: `constructor of ${text}`,
    body: `const made = (${text}).constructor("return typeof process")();
      const first = typeof made.next === "function" ? (await made.next()).value : await made;
      return first === "object" ? "escaped" : "no"`,
  })),
];

const EVALUATORS: readonly Escape[] = [
  {
    name: "eval",
    body: `return globalThis.eval("typeof process") === "object" ? "escaped" : "no"`,
  },
  {
    name: "indirect eval",
    body: `return (0, globalThis["ev" + "al"])("typeof process") === "object" ? "escaped" : "no"`,
  },
  {
    name: "new Function",
    body: `return new Function("return typeof process")() === "object" ? "escaped" : "no"`,
  },
  { name: "import()", body: `return (await import("node:fs")).existsSync("/") ? "escaped" : "no"` },
  {
    name: "import () with a comment",
    body: `return (await import /* x */ ("node:fs")).existsSync("/") ? "escaped" : "no"`,
  },
  {
    name: "import() of a data URL",
    body: `return (await import("data:text/javascript,export default 1")).default ? "escaped" : "no"`,
  },
  {
    name: "import() in text that is compiled",
    body: `const text = "return im" + "port('node:fs')";
      return (await new (async () => {}).constructor(text)()).existsSync("/") ? "escaped" : "no"`,
  },
  {
    name: "import() in text for eval",
    body: `return (0, eval)("im" + "port('node:url')") ? "escaped" : "no"`,
  },
];

const HOST_GLOBALS: readonly Escape[] = [
  ...[
    "process",
    "Bun",
    "fetch",
    "Worker",
    "WebAssembly",
    "WebSocket",
    "Buffer",
    "console",
    "setTimeout",
    "setImmediate",
    "queueMicrotask",
    "structuredClone",
    "performance",
    "crypto",
    "navigator",
    "postMessage",
    "self",
    "onmessage",
    "SharedArrayBuffer",
    "Atomics",
    "WeakRef",
    "FinalizationRegistry",
    "Intl",
    "TextDecoder",
    "URL",
    "Blob",
    "MessageChannel",
    "BroadcastChannel",
    "AbortController",
  ].map(global),
  {
    name: "module loader",
    body: `return process.getBuiltinModule("node:fs").existsSync("/") ? "escaped" : "no"`,
  },
  {
    name: "names of the global object and its prototypes",
    body: `const names = [];
      for (let at = globalThis; at; at = Object.getPrototypeOf(at)) names.push(...Object.getOwnPropertyNames(at));
      return names.includes("postMessage") || names.includes("Bun") ? "escaped" : "no"`,
  },
  {
    name: "this of a plain function",
    body: `const self = (function () { return this })(); return self?.process ? "escaped" : "no"`,
  },
  {
    name: "this of a callback",
    body: `let self; await parallel([1], function () { self = this }); return self?.process ? "escaped" : "no"`,
  },
  {
    name: "callee and caller",
    body: `return (function () { return arguments.callee })() ? "escaped" : "no"`,
  },
];

const STACKS: readonly Escape[] = [
  {
    name: "prepareStackTrace and the functions of the frames",
    body: `Error.prepareStackTrace = (error, frames) => frames;
      const frames = new Error("x").stack;
      return typeof frames[0].getFunction === "function" ? "escaped" : "no"`,
  },
  {
    name: "prepareStackTrace by way of the engine's errors",
    body: `let seen; Error.prepareStackTrace = (error, frames) => { seen = frames };
      try { null.x } catch (error) { error.stack }
      return seen ? "escaped" : "no"`,
  },
  {
    name: "captureStackTrace",
    body: `const target = {}; Error.captureStackTrace(target); return /:\\d+:\\d+/.test(target.stack) ? "escaped" : "no"`,
  },
  {
    name: "paths in stacks",
    body: `return /\\.ts:\\d+/.test(new Error("x").stack) ? "escaped" : "no"`,
  },
  {
    name: "paths in stacks of host errors",
    body: `try { await agent("fail") } catch (error) { return /\\.ts:\\d+/.test(error.stack) ? "escaped" : "no" }`,
  },
];

const SHARED_STATE: readonly Escape[] = [
  {
    name: "__proto__ pollution",
    body: `({}).__proto__.polluted = "escaped"; return ({}).polluted`,
  },
  {
    name: "pollution of Object.prototype by definition",
    body: `Object.defineProperty(Object.prototype, "polluted", { value: "escaped" }); return ({}).polluted`,
  },
  {
    name: "pollution by Reflect.set",
    body: `Reflect.set(Object.prototype, "polluted", "escaped"); return ({}).polluted`,
  },
  {
    name: "pollution by JSON",
    body: `const at = JSON.parse('{"constructor": null}'); delete at.constructor;
      Object.assign(at.constructor.prototype, { polluted: "escaped" }); return ({}).polluted`,
  },
  ...[
    ["Array.prototype", "map"],
    ["Array.prototype", "push"],
    ["Promise.prototype", "then"],
    ["Promise", "all"],
    ["Function.prototype", "call"],
    ["Map.prototype", "get"],
    ["WeakMap.prototype", "get"],
    ["String.prototype", "slice"],
    ["RegExp.prototype", "exec"],
    ["JSON", "stringify"],
    ["JSON", "parse"],
    ["Object", "keys"],
    ["Reflect", "construct"],
    ["Error.prototype", "toString"],
  ].map(([owner, method]) => ({
    name: `replacing ${owner}.${method}`,
    body: `const original = ${owner}.${method};
      ${owner}.${method} = function (...all) { return Reflect.apply(original, this, all) };
      return ${owner}.${method} !== original ? "escaped" : "no"`,
  })),
  {
    name: "replacing an iterator that everybody uses",
    body: `const original = Array.prototype[Symbol.iterator];
      Array.prototype[Symbol.iterator] = function () { return Reflect.apply(original, this, []) };
      return Array.prototype[Symbol.iterator] !== original ? "escaped" : "no"`,
  },
  { name: "marks on the API's functions", body: `agent.mark = "escaped"; return agent.mark` },
  { name: "marks on args", body: `args.mark = "escaped"; return args.mark` },
  {
    name: "marks on what args contains",
    body: `args.list.push("escaped"); return args.list.at(-1)`,
  },
  {
    name: "what the last regular expression saw",
    body: `/(.+)/.exec("escaped"); return RegExp.$1 ?? "no"`,
  },
];

const CLOCK_AND_CHANCE: readonly Escape[] = [
  { name: "Date.now", body: `return Date.now() > 0 ? "escaped" : "no"` },
  { name: "new Date", body: `return new Date().getTime() > 0 ? "escaped" : "no"` },
  { name: "Date as a function", body: `return Date().length > 0 ? "escaped" : "no"` },
  {
    name: "constructor of a date",
    body: `return new Date(0).constructor.now() > 0 ? "escaped" : "no"`,
  },
  {
    name: "Reflect.construct of Date",
    body: `return Reflect.construct(Date, []).getTime() > 0 ? "escaped" : "no"`,
  },
  {
    name: "a class of dates",
    body: `return new (class extends Date {})().getTime() > 0 ? "escaped" : "no"`,
  },
  { name: "bound Date", body: `return new (Date.bind(null))().getTime() > 0 ? "escaped" : "no"` },
  { name: "Math.random", body: `return Math.random() >= 0 ? "escaped" : "no"` },
  {
    name: "locale of the host",
    body: `return (1234.5).toLocaleString("de-DE") === "1.234,5" ? "escaped" : "no"`,
  },
];

export const ESCAPES: readonly Escape[] = [
  ...CONSTRUCTOR_CHAINS,
  ...EVALUATORS,
  ...HOST_GLOBALS,
  ...STACKS,
  ...SHARED_STATE,
  ...CLOCK_AND_CHANCE,
];
