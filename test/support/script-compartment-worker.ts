/** Evaluates prepared programs in the realm that script workers lock down. */
import { lockDownRealm } from "../../workers/script/lockdown.ts";

declare const self: Worker;

const realm = lockDownRealm();

async function run(program: string): Promise<unknown> {
  const script = realm.evaluate(program, {});
  return typeof script === "function" ? await script() : script;
}

self.onmessage = async ({ data }: MessageEvent<string>) => {
  try {
    self.postMessage({ value: await run(data) });
  } catch (error) {
    self.postMessage({ error: String(error) });
  }
};
