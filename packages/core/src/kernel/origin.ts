import type { TraceContext } from "./trace-context.js";

/** Where an act came from. Diagnostic data: it is kept and passed on, and nothing is decided by it. */
export interface Origin {
  readonly requestId: string | null; // null = no request of the HTTP interface
  readonly trace: TraceContext | null; // null = part of none
}
