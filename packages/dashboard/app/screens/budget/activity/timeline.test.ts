import type { BusinessEvent, Message } from "@budgetkit/client";
import { describe, expect, it } from "vitest";
import { type Sources, timelineOf } from "./timeline.js";

const none = { entries: [], hasMore: false };
const sources: Sources = {
  events: none,
  messages: none,
  payments: none,
  mails: none,
  files: none,
  views: none,
  viewCount: 0,
};

function event(id: string, timestamp: string, fields: string[] = ["status"], actor = "user:7"): BusinessEvent {
  const change = { fields, from: "PENDING", to: "PENDING", reason: null };
  return { id, sequence: 1, revision: 1, event: "budget.updated", timestamp, actor, subjectId: "1", data: {}, change };
}

function message(id: string, sentAt: string): Message {
  const sender = { from: "customer", name: "Ana", sentBy: "customer:Ana" } as const;
  return { id, kind: "message", message: "Hello", sentAt, budgetId: "1", ...sender };
}

const keysOf = (of: Sources) => timelineOf(of).entries.map(({ key }) => key);

describe("timelineOf", () => {
  it("puts all sources into one order, newest first, with whose act each was", () => {
    const events = {
      entries: [event("3", "2026-11-03"), event("1", "2026-11-01", ["items"], "key:4")],
      hasMore: false,
    };
    const messages = { entries: [message("2", "2026-11-02")], hasMore: false };
    const { entries, hasMore } = timelineOf({ ...sources, events, messages });
    expect(entries.map(({ key, side }) => `${key} ${side}`)).toEqual([
      "event 3 team",
      "message 2 customer",
      "event 1 api",
    ]);
    expect(hasMore).toBe(false);
  });

  it("holds back what is older than the oldest entry of a source that has more", () => {
    const events = { entries: [event("9", "2026-11-09"), event("5", "2026-11-05")], hasMore: true };
    const messages = { entries: [message("7", "2026-11-07"), message("4", "2026-11-04")], hasMore: false };
    expect(keysOf({ ...sources, events, messages })).toEqual(["event 9", "message 7", "event 5"]);
    expect(timelineOf({ ...sources, events, messages }).hasMore).toBe(true);
  });

  it("leaves out events of payments and messages, which stand there themselves", () => {
    const sent: BusinessEvent = { ...event("2", "2026-11-02"), event: "budget.message_sent" };
    const events = { entries: [event("3", "2026-11-03", ["paid"]), sent, event("1", "2026-11-01")], hasMore: false };
    expect(keysOf({ ...sources, events })).toEqual(["event 1"]);
  });

  it("counts views back from all there were, as acts of the customer", () => {
    const views = {
      entries: [
        { viewedAt: "2026-11-05", device: "phone" as const },
        { viewedAt: "2026-11-04", device: "computer" as const },
      ],
      hasMore: false,
    };
    const { entries } = timelineOf({ ...sources, views, viewCount: 4 });
    expect(entries.map(({ key, side }) => `${key} ${side}`)).toEqual(["view 4 customer", "view 3 customer"]);
  });

  it("a timeline shows a change of files by the added file, and others by the event", () => {
    const added = { id: "8", fileName: "plan.pdf", contentType: "a/b", size: 1, sha256: "", createdBy: "user:7" };
    const files = { entries: [{ ...added, createdAt: "2026-11-02" }], hasMore: false };
    const events = {
      entries: [event("3", "2026-11-03", ["attachments"]), event("2", "2026-11-02", ["attachments"])],
      hasMore: false,
    };
    expect(keysOf({ ...sources, events, files })).toEqual(["event 3", "file 8"]);
  });
});
