import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";

/** The network of the simulation. It replaces undici, below the product's own sender and its address guard. */
export interface Network {
  call(request: NetworkCall): void;
}

export interface NetworkCall {
  readonly origin: string;
  readonly address: string; // to which the pool connects
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  answer(status: number, headers?: Readonly<Record<string, string>>, body?: string): void;
  fail(reason: string): void;
}

let network: Network | null = null;

export function useNetwork(next: Network): void {
  network = next;
}

interface Handler {
  onRequestStart?(controller: { abort(reason: Error): void }): void;
  onResponseStart?(controller: object, status: number, headers: Readonly<Record<string, string>>): void;
  onResponseData?(controller: object, chunk: Uint8Array): void;
  onResponseEnd?(): void;
  onResponseError?(controller: object, error: Error): void;
}

interface Sending {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The part of undici's Pool that the sender uses. */
export class Pool {
  readonly #origin: string;
  readonly #lookup: LookupFunction;

  constructor(origin: string, { connect }: { readonly connect: { readonly lookup: LookupFunction } }) {
    this.#origin = origin;
    this.#lookup = connect.lookup;
  }

  dispatch({ path, headers, body }: Sending, handler: Handler): void {
    let isOver = false;
    const fail = (reason: string): void => {
      if (isOver) return;
      isOver = true;
      handler.onResponseError?.({}, new Error(reason));
    };
    handler.onRequestStart?.({ abort: ({ message }) => fail(message) });
    const answer: NetworkCall["answer"] = (status, received = {}, text = "") => {
      if (isOver) return;
      handler.onResponseStart?.({}, status, received);
      if (text !== "") handler.onResponseData?.({}, Buffer.from(text));
      if (isOver) return;
      isOver = true;
      handler.onResponseEnd?.();
    };
    const address = addressOf(this.#lookup, new URL(this.#origin).hostname);
    network?.call({ origin: this.#origin, address, path, headers, body, answer, fail });
  }

  async close(): Promise<void> {}
}

function addressOf(lookup: LookupFunction, hostname: string): string {
  let found = "";
  lookup(hostname, { all: true }, (_error: unknown, addresses: string | LookupAddress[]) => {
    found = typeof addresses === "string" ? addresses : (addresses[0]?.address ?? "");
  });
  return found;
}
