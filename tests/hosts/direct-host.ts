import type { BudgetService } from "@budgetkit/core";
import { readableBodyOf } from "@budgetkit/core/http";
import type { HostRequest, HostResponse } from "@budgetkit/testing";

/** Asks a service without a host in between: no socket, no Request, nothing that is tidied up on the way. */
export async function askDirectly(service: BudgetService, request: HostRequest): Promise<HostResponse> {
  const bytes = typeof request.body === "string" ? new TextEncoder().encode(request.body) : request.body;
  const { status, headers, body } = await service.handle({
    method: request.method,
    target: request.path,
    header: (name) => {
      const value = request.headers[name];
      return value === undefined ? null : String(value);
    },
    readBody: async (limitBytes) =>
      bytes === null ? new Uint8Array() : bytes.byteLength > limitBytes ? "too-large" : bytes,
    streamBody: async function* () {
      if (bytes !== null) yield bytes;
    },
    peerAddress: "127.0.0.1",
    original: null,
  });
  const answered = Buffer.from(await new Response(readableBodyOf(body)).arrayBuffer());
  return { status, headers, bytes: answered, text: answered.toString() };
}
