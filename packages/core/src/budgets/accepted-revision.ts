import { z } from "zod";
import type { FlattenedJws } from "../signing/signing-keys.js";

const payloadSchema = z.object({
  content: z.object({ revision: z.int() }),
  acceptance: z.object({
    channel: z.string(),
    by: z.string(),
    at: z.string(),
    language: z.string().nullish(),
  }),
});

/** What was accepted, and how. */
interface AcceptedRevision {
  readonly revision: number;
  readonly channel: string;
  readonly by: string; // an actor's label
  readonly at: string; // ISO 8601, in UTC
  readonly language?: string | null | undefined; // of the page on which the customer accepted; absent, null = not known
}

/** Reads what the service itself has signed. */
export function readEvidence({ payload }: FlattenedJws): AcceptedRevision {
  const { content, acceptance } = payloadSchema.parse(JSON.parse(Buffer.from(payload, "base64url").toString()));
  return { revision: content.revision, ...acceptance };
}
