/** Tells when a phase gains its first holder or loses its last one. */
type PhaseListener = (name: string, active: boolean) => void;

/** Counts who is in which phase. */
export class Phases {
  readonly #holders = new Map<string, number>();
  readonly #onChange: PhaseListener;

  constructor(onChange: PhaseListener) {
    this.#onChange = onChange;
  }

  /** @param name empty for none, which nobody is told about. */
  hold(name: string): PhaseHold {
    this.#change(name, 1);
    return new PhaseHold(name, (from, to) => {
      this.#change(from, -1);
      this.#change(to, 1);
    });
  }

  #change(name: string, by: 1 | -1): void {
    if (name === "") return;
    const before = this.#holders.get(name) ?? 0;
    const after = before + by;
    if (after === 0) this.#holders.delete(name);
    else this.#holders.set(name, after);
    if (before === 0 || after === 0) this.#onChange(name, after > 0);
  }
}

/** The phase that one scope is in; it can move on until it is released. */
export class PhaseHold {
  #name: string;
  #released = false;
  readonly #move: (from: string, to: string) => void;

  constructor(name: string, move: (from: string, to: string) => void) {
    this.#name = name;
    this.#move = move;
  }

  get name(): string {
    return this.#name;
  }

  moveTo(name: string): void {
    if (name === this.#name) return;
    if (!this.#released) this.#move(this.#name, name);
    this.#name = name;
  }

  /** What still runs afterwards keeps the name, but no longer holds the phase open. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#move(this.#name, "");
  }
}
