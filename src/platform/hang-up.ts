/**
 * Asks the system whether anybody still reads what a descriptor leads to. A write would tell too, but
 * only once there is something to write.
 */
import { dlopen, ptr } from "bun:ffi";

/** The C library by the names that it has with glibc, with musl and on macOS. */
const LIBRARIES = ["libc.so.6", "libc.so", "libSystem.B.dylib"];
/** What `poll` reports whether it was asked for or not: an error, a hang-up. */
const POLLERR = 0x8;
const POLLHUP = 0x10;
const LOOK_MS = 50;

type Poll = (fds: number | bigint, count: number, timeoutMs: number) => number;

/**
 * A signal that is aborted once the other end of a pipe, socket or terminal is closed. Where the
 * system cannot be asked it never is.
 */
export function hangUpOf(descriptor: number): AbortSignal {
  const hungUp = new AbortController();
  const poll = loadPoll();
  if (poll === undefined) return hungUp.signal;
  // struct pollfd: the descriptor, then two shorts for what is asked and what is found.
  const request = new DataView(new ArrayBuffer(8));
  const isLittle = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
  request.setInt32(0, descriptor, isLittle);
  const address = ptr(request);
  const timer = setInterval(() => {
    request.setInt16(6, 0, isLittle);
    if (poll(address, 1, 0) <= 0) return;
    if ((request.getInt16(6, isLittle) & (POLLERR | POLLHUP)) === 0) return;
    clearInterval(timer);
    hungUp.abort();
  }, LOOK_MS);
  timer.unref();
  return hungUp.signal;
}

function loadPoll(): Poll | undefined {
  for (const library of LIBRARIES) {
    try {
      const { poll } = dlopen(library, {
        poll: { args: ["ptr", "u64", "i32"], returns: "i32" },
      }).symbols;
      return (fds, count, timeoutMs) => poll(fds as never, count, timeoutMs);
    } catch {
      // The library has another name here.
    }
  }
  return undefined;
}
