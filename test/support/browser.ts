/** A real browser, spoken to in its own protocol. Only where Chromium is installed. */
import { rm } from "node:fs/promises";
import { tempDir } from "./temp.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Chromium as PATH has it; `undefined` where it is not installed. */
export const CHROMIUM = NAMES.map((name) => Bun.which(name)).find((path) => path !== null);

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--disable-dev-shm-usage",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--hide-scrollbars",
  "--remote-debugging-port=0",
];

export interface Browser extends AsyncDisposable {
  /** Opens an address in the one page there is, and waits until it is loaded. */
  open(url: string, size?: PageSize): Promise<void>;
  /** The value of an expression in the page, which may be a promise. */
  value<T>(expression: string): Promise<T>;
  /** Waits until an expression in the page is true, looking at every frame it draws. */
  until(expression: string): Promise<void>;
  /** Presses and lets go of a key, such as `ArrowLeft` or `a`. */
  press(key: string): Promise<void>;
  /** Moves the mouse to the middle of the first element that a selector finds. */
  point(selector: string): Promise<void>;
  /** Clicks in the middle of the first element that a selector finds. */
  click(selector: string): Promise<void>;
  /** A picture of the page, as PNG. */
  picture(): Promise<Uint8Array>;
  /** What the page complained about: exceptions, console errors, refused loads. */
  readonly complaints: readonly string[];
  /** Addresses that were asked for, other than those opened. */
  readonly requests: readonly string[];
}

export interface PageSize {
  readonly width: number;
  readonly height: number;
  readonly dark?: boolean;
}

type Message = Readonly<Record<string, unknown>>;

export async function startBrowser(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error("there is no Chromium on PATH");
  const dir = await tempDir();
  const child = Bun.spawn(
    [CHROMIUM, ...FLAGS, `--user-data-dir=${dir.join("profile")}`, "about:blank"],
    {
      env: { ...process.env, HOME: dir.path, TMPDIR: dir.path },
      stdout: "ignore",
      stderr: "pipe",
    },
  );
  const connection = await connect(await addressOf(child.stderr));
  const page = await openPage(connection);
  return {
    ...page,
    async [Symbol.asyncDispose]() {
      connection.close();
      child.kill("SIGKILL");
      await child.exited;
      await rm(dir.path, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function addressOf(stderr: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stderr) {
    text += decoder.decode(chunk, { stream: true });
    const address = /DevTools listening on (ws:\S+)/.exec(text)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error(`Chromium ended: ${text}`);
}

interface Connection {
  call(method: string, params?: Message, session?: string): Promise<Message>;
  on(listener: (method: string, params: Message) => void): void;
  close(): void;
}

async function connect(address: string): Promise<Connection> {
  const socket = new WebSocket(address);
  const waiting = new Map<number, PromiseWithResolvers<Message>>();
  const listeners: ((method: string, params: Message) => void)[] = [];
  let last = 0;
  socket.addEventListener("message", ({ data }) => {
    const { id, method, params, result, error } = JSON.parse(String(data));
    if (id === undefined) for (const listener of listeners) listener(method, params);
    else if (error === undefined) waiting.get(id)?.resolve(result);
    else waiting.get(id)?.reject(new Error(error.message));
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  return {
    call(method, params = {}, sessionId) {
      last += 1;
      const answer = Promise.withResolvers<Message>();
      waiting.set(last, answer);
      socket.send(JSON.stringify({ id: last, method, params, sessionId }));
      return answer.promise;
    },
    on: (listener) => listeners.push(listener),
    close: () => socket.close(),
  };
}

async function openPage(connection: Connection): Promise<Omit<Browser, keyof AsyncDisposable>> {
  const { targetId } = await connection.call("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await connection.call("Target.attachToTarget", { targetId, flatten: true });
  const call = (method: string, params: Message = {}) =>
    connection.call(method, params, String(sessionId));
  const complaints: string[] = [];
  const requests: string[] = [];
  const opened: string[] = [];
  let loaded = Promise.withResolvers<void>();
  connection.on((method, params) => {
    if (method === "Page.loadEventFired") loaded.resolve();
    if (method === "Runtime.exceptionThrown") complaints.push(JSON.stringify(params));
    if (method === "Log.entryAdded") complaints.push(JSON.stringify(params));
    if (method === "Network.requestWillBeSent") {
      const url = JSON.parse(JSON.stringify(params)).request.url;
      if (!opened.includes(url)) requests.push(url);
    }
  });
  for (const domain of ["Page", "Runtime", "Log", "Network"]) await call(`${domain}.enable`);
  await call("Emulation.setFocusEmulationEnabled", { enabled: true });

  const value: Browser["value"] = async (expression) => {
    const answer = await call("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    const { result, exceptionDetails } = JSON.parse(JSON.stringify(answer));
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return result.value;
  };
  const mouse = async (selector: string, ...types: readonly string[]) => {
    const { x, y } = await value<{ x: number; y: number }>(`(() => {
      const box = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    })()`);
    for (const type of types) {
      const button = type === "mouseMoved" ? "none" : "left";
      await call("Input.dispatchMouseEvent", { x, y, button, clickCount: 1, type });
    }
  };
  const frames = `new Promise((done) => {
    const look = () => (THAT ? done() : requestAnimationFrame(look));
    look();
  })`;

  return {
    complaints,
    requests,
    value,
    until: (expression) => value(frames.replace("THAT", () => `(${expression})`)),
    async open(url, { width, height, dark = false } = { width: 1280, height: 800 }) {
      loaded = Promise.withResolvers<void>();
      opened.push(url);
      const metrics = { width, height, deviceScaleFactor: 1, mobile: width < 600 };
      await call("Emulation.setDeviceMetricsOverride", metrics);
      const scheme = { name: "prefers-color-scheme", value: dark ? "dark" : "light" };
      await call("Emulation.setEmulatedMedia", { features: [scheme] });
      await call("Page.navigate", { url });
      await loaded.promise;
    },
    async press(key) {
      const text = key.length === 1 ? { text: key } : key === "Enter" ? { text: "\r" } : {};
      await call("Input.dispatchKeyEvent", { type: "keyDown", key, code: key, ...text });
      await call("Input.dispatchKeyEvent", { type: "keyUp", key, code: key });
    },
    point: (selector) => mouse(selector, "mouseMoved"),
    click: (selector) => mouse(selector, "mouseMoved", "mousePressed", "mouseReleased"),
    async picture() {
      const { data } = await call("Page.captureScreenshot", { format: "png" });
      return Buffer.from(String(data), "base64");
    },
  };
}
