import { anEvent } from "@budgetkit/testing";
import { describe, expect, it, vi } from "vitest";
import { createEventListeners } from "./event-listeners.js";

const created = { ...anEvent(), sequence: 1, revision: 1 };
const approved = { ...anEvent({ id: "91", type: "budget.approved" }), sequence: 2, revision: 2 };

describe("event listeners", () => {
  it("a listener receives events of its type, or all events, until it unsubscribes", async () => {
    const { on, announce } = createEventListeners(() => {});
    const some = vi.fn();
    const all = vi.fn();
    on("budget.approved", some);
    const off = on("*", all);
    announce([created, approved]);
    await Promise.resolve();
    expect(some.mock.calls).toEqual([[approved]]);
    expect(all.mock.calls).toEqual([[created], [approved]]);
    off();
    announce([created]);
    await Promise.resolve();
    expect(all).toHaveBeenCalledTimes(2);
  });

  it("reports a listener that throws or rejects, and calls the others", async () => {
    const onError = vi.fn();
    const { on, announce } = createEventListeners(onError);
    const calm = vi.fn();
    on("*", () => {
      throw new Error("thrown");
    });
    on("*", async () => Promise.reject(new Error("rejected")));
    on("*", calm);
    expect(() => announce([created])).not.toThrow();
    await vi.waitFor(() => expect(onError).toHaveBeenCalledTimes(2), { timeout: 20_000 });
    expect(onError.mock.calls.flat()).toEqual([new Error("thrown"), new Error("rejected")]);
    expect(calm).toHaveBeenCalledTimes(1);
  });
});
