import type { SendOutcome, SendRequest, WebhookSender } from "@budgetkit/core";
import type { HttpCases } from "./cases.js";
import type { Client } from "./client.js";
import { assertStatus } from "./samples.js";
import { PASSWORD, type World } from "./world.js";

export const WEBHOOKS = "/api/developer/webhooks";
export const TEST = "/api/public/webhooks/test";
export const CALLS_URL = "https://hooks.example/calls";
export const KEY_PATHS = ["/api-keys", "/api/developer/api-keys"];

/** A receiver without a socket: it records the calls and returns the configured answers. */
interface ScriptedReceiver extends WebhookSender {
  readonly sent: readonly SendRequest[];
  status: number;
}

export function scriptedReceiver(): ScriptedReceiver {
  const sent: SendRequest[] = [];
  return {
    sent,
    status: 204,
    async send(request): Promise<SendOutcome> {
      sent.push(request);
      return { kind: "answered", responseCode: this.status, responseBody: "", retryAfterSeconds: null, durationMs: 7 };
    },
  };
}

interface SendingWorld extends World {
  readonly receiver: ScriptedReceiver;
}

/** The `it` of cases that have a receiver of their own. */
export function sendingCases({ it }: HttpCases): (name: string, body: (world: SendingWorld) => Promise<void>) => void {
  return (name, body) => {
    const receiver = scriptedReceiver();
    it(name, (world) => body({ ...world, receiver }), { service: { webhooks: { sender: receiver } } });
  };
}

/** Creates an endpoint and gives its path. */
export async function endpointAt(client: Client, settings: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const created = assertStatus(await client.post(WEBHOOKS, { url: CALLS_URL, ...settings }), 201);
  return `${WEBHOOKS}/${created.text("id")}`;
}

/** A login token lives an hour. */
export async function logInAgain({ anonymous, as }: World): Promise<Client> {
  const session = await anonymous.post("/auth/login", { email: "olga@example.com", password: PASSWORD });
  assertStatus(session, 201);
  return as(session.text("access_token"));
}
