import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import type { CrashClient, Reply } from "./client.js";
import type { Creation } from "./ledger.js";

/** Clients that repeat each request until a server answers it, so that they know its outcome. */
export interface InsistentWriters {
  readonly creations: readonly Creation[];
  /** Resolves when they have stopped. Rejects when one got an unexpected answer. */
  readonly ended: Promise<unknown>;
  stop(): void;
  /** Repeats every creation, also those that a held idempotency key refused: each has one answer. */
  sendAllAgain(): Promise<void>;
}

const PAUSE_MS = 10;

/** `next` resolves to a client of the next server in turn. */
export function startWriters(
  count: number,
  next: () => Promise<CrashClient>,
  onAcknowledged: () => void,
): InsistentWriters {
  const creations: Creation[] = [];
  let isOver = false;

  async function insist(send: (client: CrashClient) => Promise<Reply | null>): Promise<Reply & { isFirst: boolean }> {
    for (let isFirst = true; ; isFirst = false) {
      const reply = await send(await next());
      if (reply !== null && reply.status !== 503) return { ...reply, isFirst };
      await pause(PAUSE_MS);
    }
  }

  function acknowledge(creation: Creation, text: string): void {
    const { id, version, status } = JSON.parse(text).data;
    creation.answer = text;
    creation.budget = { id, version, status, attempted: null };
    onAcknowledged();
  }

  /** `sendAllAgain` repeats a creation whose idempotency key a dead process holds. */
  async function create(creation: Creation): Promise<void> {
    const { status, text, isReplay, isFirst } = await insist((client) => client.create(creation));
    if (status === 409 && !isFirst) return;
    expect({ status, text }).toMatchObject({ status: 201 });
    if (isFirst) expect(isReplay).toBe(false);
    acknowledge(creation, text);
  }

  /** Only one writer changes a budget, so 412 means that an earlier request took effect without an answer. */
  async function change({ budget }: Creation, input: { status: string } | { items: unknown }): Promise<void> {
    if (budget === null) return;
    const { status, text, isFirst } = await insist((client) => client.change(budget.id, budget.version, input));
    expect({ status, text }).toMatchObject({ status: isFirst ? 200 : expect.toBeOneOf([200, 412]) });
    budget.version += 1;
    if ("status" in input) budget.status = input.status;
    onAcknowledged();
  }

  async function write(writer: number): Promise<void> {
    for (let number = 0; !isOver; number += 1) {
      const idempotencyKey = `${writer}-${number}`;
      const body = JSON.stringify({ customerId: "ana", notes: idempotencyKey, ...itemsAt(1) });
      const creation: Creation = { idempotencyKey, body, answer: null, budget: null };
      creations.push(creation);
      await create(creation);
      for (let changes = number % 3; changes > 0; changes -= 1) await change(creation, itemsAt(changes + 1));
      if (number % 4 > 0) await change(creation, { status: number % 4 === 1 ? "REJECTED" : "APPROVED" });
    }
  }

  return {
    creations,
    ended: Promise.all(Array.from({ length: count }, (_, writer) => write(writer))),
    stop: () => {
      isOver = true;
    },
    sendAllAgain: async () => {
      for (const creation of creations) {
        const { status, text, isReplay } = await insist((client) => client.create(creation));
        expect({ status, text }).toMatchObject({ status: 201 });
        if (creation.answer === null) acknowledge(creation, text);
        else expect({ text, isReplay }).toEqual({ text: creation.answer, isReplay: true });
      }
    },
  };
}

function itemsAt(unitPrice: number) {
  return { items: [{ description: "Chair", quantity: 1, unitPrice }] };
}
