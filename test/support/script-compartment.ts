/** The realm of script workers, in a Worker of its own since a lockdown cannot be undone. */
export class ScriptCompartment {
  readonly #worker = new Worker(new URL("./script-compartment-worker.ts", import.meta.url).href);

  /**
   * Evaluates a prepared program, calls the function it yields and returns what that returns. One
   * program at a time; await it, since `expect(…).rejects` of a Worker's answer never settles.
   */
  async run(program: string): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#worker.onmessage = ({ data }) => {
      if ("error" in data) reject(new Error(data.error));
      else resolve(data.value);
    };
    this.#worker.onerror = (event) => reject(new Error(event.message));
    this.#worker.postMessage(program);
    return await promise;
  }

  close(): void {
    this.#worker.terminate();
  }
}
