import type { Random } from "./random.js";

/** A position in a distributed trace, as two headers carry it. Source: W3C Trace Context. */
export interface TraceContext {
  /** Of version 00. */
  readonly traceparent: string;
  /** Null = none. */
  readonly tracestate: string | null;
}

const TRACEPARENT =
  /^(?!ff)(?<version>[0-9a-f]{2})-(?!0{32})(?<traceId>[0-9a-f]{32})-(?!0{16})(?<spanId>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})(?<more>-.*)?$/;
/** "Sampled" and "random trace id". The other flags are undefined and are not passed on. */
const KNOWN_FLAGS = 0b11;
const SAMPLED = 0b01;
const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;

interface Parts {
  readonly traceId: string;
  readonly spanId: string;
  readonly flags: number;
}

/**
 * Reads the two headers; null without a valid `traceparent`. Of a later version only the fields of version 00 are read.
 * An invalid `tracestate` is dropped.
 */
export function readTraceContext(traceparent: string | null, tracestate: string | null): TraceContext | null {
  const parts = partsOf(traceparent);
  if (parts === null) return null;
  const isStated = tracestate !== null && isTracestate(tracestate);
  return { traceparent: formatted(parts), tracestate: isStated ? tracestate : null };
}

/** A new sampled trace, for a request without one. */
export function startTrace(random: Random): TraceContext {
  const parts = { traceId: hexOf(random, TRACE_ID_BYTES), spanId: hexOf(random, SPAN_ID_BYTES), flags: SAMPLED };
  return { traceparent: formatted(parts), tracestate: null };
}

/** A new span of the same trace; null when `traceparent` is invalid. */
export function childOf({ traceparent, tracestate }: TraceContext, random: Random): TraceContext | null {
  const parts = partsOf(traceparent);
  if (parts === null) return null;
  return { traceparent: formatted({ ...parts, spanId: hexOf(random, SPAN_ID_BYTES) }), tracestate };
}

/** The trace id, 32 hexadecimal digits; null when `traceparent` is invalid. */
export function traceIdOf({ traceparent }: TraceContext): string | null {
  return partsOf(traceparent)?.traceId ?? null;
}

/** The headers that propagate a trace. */
export function traceHeaders({ traceparent, tracestate }: TraceContext): Readonly<Record<string, string>> {
  return tracestate === null ? { traceparent } : { traceparent, tracestate };
}

function partsOf(traceparent: string | null): Parts | null {
  const { version, traceId, spanId, flags, more } = TRACEPARENT.exec(traceparent ?? "")?.groups ?? {};
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  if (version === "00" && more !== undefined) return null;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) & KNOWN_FLAGS };
}

function formatted({ traceId, spanId, flags }: Parts): string {
  return `00-${traceId}-${spanId}-0${flags}`;
}

function hexOf(random: Random, bytes: number): string {
  return Buffer.from(random.bytes(bytes)).toString("hex");
}

const MAX_TRACESTATE = 512;
const MAX_MEMBERS = 32;
const MEMBER =
  /^(?<key>[a-z][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/** A list of members with distinct keys; empty members are allowed. */
function isTracestate(text: string): boolean {
  if (text.length > MAX_TRACESTATE) return false;
  const members = text
    .split(",")
    .map((member) => member.replace(/^[ \t]+|[ \t]+$/g, ""))
    .filter((member) => member !== "");
  const keys = new Set(members.flatMap((member) => MEMBER.exec(member)?.groups?.key ?? []));
  return members.length > 0 && members.length <= MAX_MEMBERS && keys.size === members.length;
}
