/** Talks with the host: one start message, then answers and pings until the host ends the worker. */
import type { HostMessage, WorkerMessage } from "../../src/workflow/engine/protocol.ts";
import { lockDownRealm } from "./lockdown.ts";
import { keepRejections } from "./rejections.ts";
import { Session } from "./session.ts";

/** The side of a worker's port that is inside the worker. */
interface Port {
  onmessage: ((event: MessageEvent<string>) => void) | null;
  postMessage(text: string): void;
}

/** Locks the realm down, then serves. Can be done once per worker. */
export function startScriptWorker(port: Port): void {
  const powers = {
    rejections: keepRejections(),
    realm: lockDownRealm(),
    postText: (text: string) => port.postMessage(text),
    afterReactions: (callback: () => void) => void setImmediate(callback),
  };
  const post = (message: WorkerMessage) => powers.postText(JSON.stringify(message));
  let session: Session | undefined;
  port.onmessage = ({ data }) => {
    const message = JSON.parse(data) as HostMessage;
    switch (message.type) {
      case "start":
        session = new Session(powers, message);
        break;
      case "settled":
      case "rejected":
        session?.settle(message);
        break;
      case "pressure":
        Bun.gc(true);
        break;
      case "unanswered":
        session?.leaveUnanswered(message.id);
        break;
      case "ping":
        post({ type: "pong", nonce: message.nonce });
        break;
      case "echo":
        post({ type: "echoed", nonce: message.nonce });
        break;
    }
  };
  post({ type: "ready" });
}
