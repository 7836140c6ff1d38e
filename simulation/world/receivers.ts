import { drawInteger, seededRandom } from "@budgetkit/testing";
import type { Network, NetworkCall } from "../engine/network.js";
import type { Scheduler } from "../engine/scheduler.js";
import type { Trace } from "../engine/trace.js";

/** A call that a receiver got. */
export interface ReceivedCall {
  readonly host: string;
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly endsAt: number; // when the answer comes, or the sender gives up
  status: number | null; // of the answer; null = no complete answer, or none yet
}

const SEND_DEADLINE_MS = 30_000; // docs/webhooks.md

/** The receivers of callbacks and their DNS. Their answers are drawn. */
export class Receivers implements Network {
  readonly calls: ReceivedCall[] = [];
  readonly gone = new Set<string>(); // hosts that answered 410
  checked = 0; // how many calls are checked
  isKind = false; // true = every call is accepted
  readonly #scheduler: Scheduler;
  readonly #trace: Trace;
  readonly #random;
  readonly #mostRetryAfterSeconds: number;

  constructor(seed: number, mostRetryAfterSeconds: number, scheduler: Scheduler, trace: Trace) {
    this.#random = seededRandom(seed ^ 0x2545f491);
    this.#mostRetryAfterSeconds = mostRetryAfterSeconds;
    this.#scheduler = scheduler;
    this.#trace = trace;
  }

  #draw(below: number): number {
    return drawInteger(this.#random, below);
  }

  /** The calls in flight. A call of a dead process ends like any other. */
  openCalls(): readonly ReceivedCall[] {
    return this.calls.filter(({ status, endsAt }) => status === null && endsAt > this.#scheduler.now);
  }

  resolveName = async (hostname: string): Promise<readonly { address: string; family: number }[]> => {
    await this.#scheduler.pass(this.#scheduler.current, `look-up of ${hostname}`);
    const isLie = this.#draw(12) === 0 && !this.isKind;
    const address = isLie ? PRIVATE[this.#draw(PRIVATE.length)] : "93.184.216.34";
    return [{ address: address ?? "10.0.0.1", family: address?.includes(":") === true ? 6 : 4 }];
  };

  call({ origin, address, headers, body, answer, fail }: NetworkCall): void {
    const host = new URL(origin).hostname;
    const mood = this.isKind ? 0 : this.#draw(100);
    const isSlow = this.#draw(10) === 0;
    const delayMs = isSlow && !this.isKind ? this.#draw(40_000) : this.#draw(150);
    const status = statusOf(mood);
    const owner = this.#scheduler.current;
    this.#trace.add(this.#scheduler.steps, this.#scheduler.now, owner?.name ?? "", `calls ${host}`);
    const endsAt = this.#scheduler.now + Math.min(delayMs, SEND_DEADLINE_MS);
    const received: ReceivedCall = { host, address, headers, body, endsAt, status: null };
    this.calls.push(received);
    void this.#scheduler.pass(owner, `answer of ${host}`, delayMs).then(() => {
      if (status === 410) this.gone.add(host);
      this.#trace.add(this.#scheduler.steps, this.#scheduler.now, host, `answers ${status ?? "nothing whole"}`);
      received.status = status;
      if (status === null) fail("the connection broke");
      else
        answer(
          status,
          headersOf(status, this.#draw(this.#mostRetryAfterSeconds)),
          mood % 7 === 0 ? "x".repeat(100) : "",
        );
    });
  }
}

const PRIVATE = ["10.0.0.5", "127.0.0.1", "169.254.169.254", "192.168.1.1", "::1", "100.64.0.1"];

function statusOf(mood: number): number | null {
  if (mood < 58) return 204;
  if (mood < 68) return null;
  if (mood < 69) return 410;
  if (mood < 82) return 500;
  if (mood < 92) return 503;
  return 302;
}

function headersOf(status: number, seconds: number): Readonly<Record<string, string>> {
  if (status === 503) return { "retry-after": String(seconds) };
  return status === 302 ? { location: "http://169.254.169.254/latest/meta-data" } : {};
}
