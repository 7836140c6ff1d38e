import { expect, it, onTestFinished } from "vitest";
import { CHANNELS } from "../../telemetry/channels.js";
import { watch } from "../../testing/watched-channel.js";
import { answered, SECRET, webhookWorld } from "../../testing/webhook-world.js";

const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const trace = { traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01`, tracestate: "vendor=1" };
const origin = { requestId: "order-4711", trace };

async function loggedWorld() {
  const lines: Readonly<Record<string, unknown>>[] = [];
  const to = (level: string) => (line: object, message: string) => void lines.push({ level, message, ...line });
  const logger = { debug: to("debug"), info: to("info"), warn: to("warn"), error: to("error") };
  return { lines, ...(await webhookWorld({ logger })) };
}

it("logs a warning for each failed delivery, with its subscriber, the response and the request of origin", async () => {
  const { lines, endpoint, commit, dispatcher, answerWith } = await loggedWorld();
  await endpoint({ url: "https://hooks.example/T0/path-that-is-a-secret?token=hidden" });
  await commit({ id: "91", type: "budget.approved", origin });
  answerWith(() => ({ ...answered(500), responseBody: "their secret" }));
  await dispatcher.tick();
  expect(lines).toMatchObject([
    {
      level: "warn",
      message: "webhook not delivered",
      eventId: "91",
      eventType: "budget.approved",
      subscriber: "endpoint:60",
      attempt: 1,
      outcome: "retrying",
      responseCode: 500,
      durationMs: 12,
      requestId: "order-4711",
      traceId: TRACE_ID,
    },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/secret|hidden|hooks\.example/);
  expect(JSON.stringify(lines)).not.toContain(SECRET);
});

it("logs why no response came to a delivery, and logs successes at debug level", async () => {
  const { lines, endpoint, commit, dispatcher, answerWith, clock } = await loggedWorld();
  await endpoint();
  await commit({});
  answerWith(() => ({ kind: "failed", error: "The connection was refused.", durationMs: 3 }));
  await dispatcher.tick();
  answerWith(() => answered(204));
  clock.advance(3_600_000);
  await dispatcher.tick();
  expect(lines).toMatchObject([
    { level: "warn", responseCode: null, reason: "The connection was refused." },
    { level: "debug", message: "webhook delivered", attempt: 2, outcome: "delivered" },
  ]);
  expect(lines[0]).not.toHaveProperty("requestId");
});

it("publishes a call on the channel with the attributes of OpenTelemetry, and only the host of its receiver", async () => {
  const { endpoint, commit, dispatcher, deliveries, answerWith, sent } = await webhookWorld();
  const observed = watch(CHANNELS.delivery, onTestFinished);
  await endpoint({ url: "https://hooks.example/secret" });
  await commit({ type: "budget.approved", origin });
  answerWith(() => answered(503));
  await dispatcher.tick();
  const [delivery] = await deliveries();
  expect(observed.ended).toEqual([
    {
      attributes: {
        "http.request.method": "POST",
        "http.request.body.size": Buffer.byteLength(delivery?.body ?? ""),
        "http.request.resend_count": 0,
        "http.response.status_code": 503,
        "error.type": "503",
        "url.scheme": "https",
        "server.address": "hooks.example",
        "server.port": 443,
        "messaging.operation.type": "send",
        "messaging.message.id": delivery?.id,
        "budgetkit.delivery.outcome": "retrying",
        "budgetkit.event.type": "budget.approved",
        "budgetkit.business.id": delivery?.businessId,
        "budgetkit.subscriber": "endpoint:60",
        "budgetkit.request.id": "order-4711",
        "budgetkit.traceparent": sent[0]?.headers.traceparent,
      },
      durationMs: 0,
    },
  ]);
});

it("continues the trace of an event in each attempt, with another span id", async () => {
  const { endpoint, commit, dispatcher, sent, answerWith, clock } = await webhookWorld();
  await endpoint();
  await commit({ origin });
  answerWith(() => answered(500));
  await dispatcher.tick();
  clock.advance(3_600_000);
  await dispatcher.tick();
  const parents = sent.map(({ headers }) => headers.traceparent);
  expect(parents).toHaveLength(2);
  expect(new Set([...parents, trace.traceparent]).size).toBe(3);
  for (const parent of parents) expect(parent).toMatch(new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-01$`));
  expect(sent.map(({ headers }) => headers.tracestate)).toEqual(["vendor=1", "vendor=1"]);
  expect(sent[0]?.body).not.toContain(TRACE_ID);
});

it("adds no trace header where an event has no trace, or an invalid one", async () => {
  const { endpoint, commit, dispatcher, sent } = await webhookWorld();
  await endpoint();
  await commit({}, { origin: { requestId: "r-1", trace: null } });
  await commit({ origin: { requestId: null, trace: { traceparent: "x\r\ny: z", tracestate: "a=1" } } });
  await dispatcher.tick();
  expect(sent).toHaveLength(3);
  for (const { headers } of sent) expect(Object.keys(headers).filter((name) => name.startsWith("trace"))).toEqual([]);
});
