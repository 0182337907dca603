/** A real SES compartment in a Worker of its own, since lockdown cannot be undone. */
export class ScriptCompartment {
  readonly #worker = new Worker(new URL("./script-compartment-worker.ts", import.meta.url).href);

  async #ask(message: string): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#worker.onmessage = ({ data }) => {
      if ("error" in data) reject(new Error(data.error));
      else resolve(data.value);
    };
    this.#worker.onerror = (event) => reject(new Error(event.message));
    this.#worker.postMessage(message);
    return await promise;
  }

  /** Evaluates a prepared program, calls the function it yields and returns what that returns. */
  run(program: string): Promise<unknown> {
    return this.#ask(program);
  }

  /** Names of the globals that a script sees besides the script API. */
  globals(): Promise<unknown> {
    return this.#ask("");
  }

  close(): void {
    this.#worker.terminate();
  }
}
