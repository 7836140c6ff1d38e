import { once } from "../kernel/once.js";
import type { PublicDocument } from "./public-document.js";

/** The description of the interface. What writes it is loaded when it is first asked for, and what was written is kept. */
export function describeOnce(publicBaseUrl: string): () => Promise<PublicDocument> {
  return once(async () => (await import("./openapi/document.js")).writeDescription(publicBaseUrl));
}
