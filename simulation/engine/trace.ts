/** One line of what happened. */
export interface TraceLine {
  readonly step: number;
  readonly at: number;
  readonly who: string;
  readonly what: string;
}

/** What happened, in order, and its fingerprint. Two runs of one seed have the same fingerprint. */
export class Trace {
  readonly lines: TraceLine[] = [];
  readonly #isKept: boolean;
  #hash = 0x811c9dc5;

  /** `isKept`: lines are kept, to be printed. The fingerprint covers them in any case. */
  constructor(isKept: boolean) {
    this.#isKept = isKept;
  }

  add(step: number, at: number, who: string, what: string): void {
    if (this.#isKept) this.lines.push({ step, at, who, what });
    const text = `${step} ${at} ${who} ${what}`;
    for (let index = 0; index < text.length; index += 1) {
      this.#hash = Math.imul(this.#hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
    }
  }

  fingerprint(): string {
    return this.#hash.toString(16).padStart(8, "0");
  }

  print(): string {
    return this.lines.map(printed).join("\n");
  }
}

function printed({ step, at, who, what }: TraceLine): string {
  const time = new Date(at).toISOString().slice(5, -1).replace("T", " ");
  return `${String(step).padStart(5)}  ${time}  ${who.padEnd(10)} ${what}`;
}
