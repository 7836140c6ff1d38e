import type { Creation, RecordedEvent, StoredBudget } from "./ledger.js";

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly isReplay: boolean;
}

/** An event as the server lists it. */
export interface ListedEvent extends RecordedEvent {
  readonly id: string;
  readonly sequence: number;
}

/** A delivery as the server lists it. */
export interface ListedDelivery {
  readonly id: string;
  readonly eventId: string;
  readonly status: string;
  readonly attemptCount: number;
}

/** A client of one server process. An answer is null when the process ended before the answer was complete. */
export class CrashClient {
  constructor(
    private readonly url: string,
    private readonly key: string,
    private readonly loginToken: string,
  ) {}

  create({ idempotencyKey, body }: Creation): Promise<Reply | null> {
    return this.send("POST", "/api/public/budgets", body, { "idempotency-key": idempotencyKey });
  }

  answer(id: string, status: string): Promise<Reply | null> {
    return this.send("PUT", `/api/public/budgets/${id}`, JSON.stringify({ status }), {});
  }

  /** Changes a budget at this version; another version answers 412. */
  change(id: string, version: number, input: unknown): Promise<Reply | null> {
    return this.send("PUT", `/api/public/budgets/${id}`, JSON.stringify(input), { "if-match": `"v${version}"` });
  }

  /** Every budget that was created since. */
  budgets(since: string): Promise<StoredBudget[]> {
    return this.all(`/api/public/budgets?createdAfter=${since}`, this.key);
  }

  /** Every event since. */
  events(since: string): Promise<ListedEvent[]> {
    return this.all(`/api/developer/events?since=${since}`, this.loginToken);
  }

  /** Every delivery to a webhook. */
  deliveries(endpointId: string): Promise<ListedDelivery[]> {
    return this.all(`/api/developer/webhooks/${endpointId}/deliveries?`, this.loginToken);
  }

  private async send(
    method: string,
    path: string,
    body: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<Reply | null> {
    const request = { method, body, headers: { ...headers, ...this.headers(this.key) } };
    try {
      const response = await fetch(`${this.url}/v1${path}`, request);
      const isReplay = response.headers.get("idempotent-replayed") === "true";
      return { status: response.status, text: await response.text(), isReplay };
    } catch {
      return null;
    }
  }

  private async all<T>(path: string, token: string): Promise<T[]> {
    const entries: T[] = [];
    for (let page = 1; ; page += 1) {
      const response = await fetch(`${this.url}/v1${path}&limit=100&page=${page}`, { headers: this.headers(token) });
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
      const { data, pagination } = JSON.parse(await response.text());
      entries.push(...data);
      if (!pagination.hasMore) return entries;
    }
  }

  private headers(token: string): Record<string, string> {
    return { authorization: `Bearer ${token}`, "content-type": "application/json" };
  }
}
