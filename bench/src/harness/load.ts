import autocannon from "autocannon";
import { percentile } from "./statistics.js";

export interface LoadOptions {
  readonly url: string;
  /** Each connection works through a share of its own, again and again. */
  readonly requests: readonly autocannon.Request[];
  readonly connections: number;
  readonly seconds: number;
  readonly expectedStatus: number; // a run with any other answer counts for nothing: it throws
}

export interface LoadResult {
  readonly answers: number;
  readonly perSecond: number;
  readonly p50: number; // microseconds
  readonly p99: number;
}

/** Puts a server under load from keep-alive connections that each wait for their answer. */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const milliseconds: number[] = [];
  const statuses = new Map<number, number>();
  const started = performance.now();
  await run(options, {}, (status, took) => {
    milliseconds.push(took);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  });
  const elapsed = Math.max((performance.now() - started) / 1_000, options.seconds);
  const unexpected = [...statuses].filter(([status]) => status !== options.expectedStatus);
  if (unexpected.length > 0 || milliseconds.length === 0) {
    throw new Error(`${options.url} answered ${JSON.stringify([...statuses])}, expected ${options.expectedStatus}`);
  }
  return {
    answers: milliseconds.length,
    perSecond: milliseconds.length / elapsed,
    p50: percentile(milliseconds, 0.5) * 1_000,
    p99: percentile(milliseconds, 0.99) * 1_000,
  };
}

/** Sends each request once. Gives how often each status was answered. */
export async function sendAll(
  options: Pick<LoadOptions, "url" | "requests" | "connections">,
): Promise<ReadonlyMap<number, number>> {
  const statuses = new Map<number, number>();
  await run({ ...options, seconds: 600 }, { amount: options.requests.length }, (status) => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  });
  return statuses;
}

function run(
  { url, requests, connections, seconds }: Omit<LoadOptions, "expectedStatus">,
  extent: Pick<autocannon.Options, "amount">,
  onResponse: (status: number, milliseconds: number) => void,
): Promise<void> {
  let clients = 0;
  return new Promise((resolve, reject) => {
    const instance = autocannon(
      {
        url,
        connections,
        duration: seconds,
        ...extent,
        setupClient: (client) => {
          const own = clients;
          client.setRequests(requests.filter((_, index) => index % connections === own));
          clients += 1;
        },
      },
      (error, result) => {
        if (error) reject(error);
        else if (result.errors > 0) reject(new Error(`${url}: ${result.errors} requests failed`));
        else resolve();
      },
    );
    instance.on("response", (_client, status, _bytes, milliseconds) => onResponse(status, milliseconds));
  });
}
