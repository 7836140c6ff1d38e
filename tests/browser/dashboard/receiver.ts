import type { WebhookSender } from "@budgetkit/core";

interface Called {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A receiver of webhooks that answers with `code`, without a network. */
export function recordingReceiver() {
  const calls: Called[] = [];
  const receiver = { code: 200, calls };
  const sender: WebhookSender = {
    send: async ({ url, headers, body }) => {
      calls.push({ url, headers, body });
      const responseBody = receiver.code === 200 ? "" : '{"error":"<img src=x onerror=alert(1)> is locked"}';
      return { kind: "answered", responseCode: receiver.code, responseBody, retryAfterSeconds: null, durationMs: 31 };
    },
  };
  return { receiver, sender };
}
