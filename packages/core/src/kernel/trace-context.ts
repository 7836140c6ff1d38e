import type { Random } from "./random.js";

/** Where something stands in a distributed trace, as two headers carry it. Source: W3C Trace Context. */
export interface TraceContext {
  readonly traceparent: string; // of version 00
  readonly tracestate: string | null; // null = none
}

const TRACEPARENT =
  /^(?!ff)(?<version>[0-9a-f]{2})-(?!0{32})(?<traceId>[0-9a-f]{32})-(?!0{16})(?<spanId>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})(?<more>-.*)?$/;
/** Sampled, and a trace id that is random. Others mean nothing yet, and are not passed on. */
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
 * The trace that two headers name; null without a valid `traceparent`. One of a later version is read as far as version
 * 00 goes. A `tracestate` that is not valid is left out.
 */
export function readTraceContext(traceparent: string | null, tracestate: string | null): TraceContext | null {
  const parts = partsOf(traceparent);
  if (parts === null) return null;
  const isStated = tracestate !== null && isTracestate(tracestate);
  return { traceparent: written(parts), tracestate: isStated ? tracestate : null };
}

/** A new trace, whose caller nobody has recorded. It is sampled. */
export function startTrace(random: Random): TraceContext {
  const parts = { traceId: hexOf(random, TRACE_ID_BYTES), spanId: hexOf(random, SPAN_ID_BYTES), flags: SAMPLED };
  return { traceparent: written(parts), tracestate: null };
}

/** The same trace for something that follows: a new span whose id nobody else has. Null for what is no trace. */
export function childOf({ traceparent, tracestate }: TraceContext, random: Random): TraceContext | null {
  const parts = partsOf(traceparent);
  if (parts === null) return null;
  return { traceparent: written({ ...parts, spanId: hexOf(random, SPAN_ID_BYTES) }), tracestate };
}

/** The id that all parts of a trace share, 32 hexadecimal digits; null for what is no trace. */
export function traceIdOf({ traceparent }: TraceContext): string | null {
  return partsOf(traceparent)?.traceId ?? null;
}

/** The headers that carry a trace on. */
export function traceHeaders({ traceparent, tracestate }: TraceContext): Readonly<Record<string, string>> {
  return tracestate === null ? { traceparent } : { traceparent, tracestate };
}

function partsOf(traceparent: string | null): Parts | null {
  const { version, traceId, spanId, flags, more } = TRACEPARENT.exec(traceparent ?? "")?.groups ?? {};
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  if (version === "00" && more !== undefined) return null;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) & KNOWN_FLAGS };
}

function written({ traceId, spanId, flags }: Parts): string {
  return `00-${traceId}-${spanId}-0${flags}`;
}

function hexOf(random: Random, bytes: number): string {
  return Buffer.from(random.bytes(bytes)).toString("hex");
}

const MAX_TRACESTATE = 512;
const MAX_MEMBERS = 32;
const MEMBER =
  /^(?<key>[a-z][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/** A list of members with a key of their own each; empty ones are allowed. */
function isTracestate(text: string): boolean {
  if (text.length > MAX_TRACESTATE) return false;
  const members = text
    .split(",")
    .map((member) => member.replace(/^[ \t]+|[ \t]+$/g, ""))
    .filter((member) => member !== "");
  const keys = new Set(members.flatMap((member) => MEMBER.exec(member)?.groups?.key ?? []));
  return members.length > 0 && members.length <= MAX_MEMBERS && keys.size === members.length;
}
