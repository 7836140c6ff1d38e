import { describe, expect, it } from "vitest";
import { childOf, readTraceContext, startTrace, traceHeaders, traceIdOf } from "./trace-context.js";

const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN_ID = "00f067aa0ba902b7";
const PARENT = `00-${TRACE_ID}-${SPAN_ID}-01`;
const random = { bytes: (size: number) => new Uint8Array(size).fill(0xab) };

describe("reading a trace context", () => {
  it("reads a valid traceparent, with its tracestate or without", () => {
    expect(readTraceContext(PARENT, null)).toEqual({ traceparent: PARENT, tracestate: null });
    expect(readTraceContext(PARENT, "congo=t61rcWkgMzE")).toEqual({
      traceparent: PARENT,
      tracestate: "congo=t61rcWkgMzE",
    });
  });

  it.each([
    ["nothing", null],
    ["an empty one", ""],
    ["a version that is none", `ff-${TRACE_ID}-${SPAN_ID}-01`],
    ["a trace id of zeros", `00-${"0".repeat(32)}-${SPAN_ID}-01`],
    ["a span id of zeros", `00-${TRACE_ID}-${"0".repeat(16)}-01`],
    ["upper case", PARENT.toUpperCase()],
    ["a short trace id", `00-${TRACE_ID.slice(1)}-${SPAN_ID}-01`],
    ["no flags", `00-${TRACE_ID}-${SPAN_ID}`],
    ["more than version 00 has", `${PARENT}-what`],
    ["a later version that continues without a dash", `01-${TRACE_ID}-${SPAN_ID}-01what`],
    ["two of them", `${PARENT}, ${PARENT}`],
    ["a line break", `${PARENT}\n`],
  ])("ignores %s as a trace context", (_, traceparent) => {
    expect(readTraceContext(traceparent, "a=1")).toBeNull();
  });

  it("reads a later traceparent version as far as version 00 goes", () => {
    expect(readTraceContext(`cc-${TRACE_ID}-${SPAN_ID}-ff-later`, null)?.traceparent).toBe(
      `00-${TRACE_ID}-${SPAN_ID}-03`,
    );
  });

  it.each(["a=1", "a=1,b=2", "a=1, b=2\t,", "fw529a3039@dt=FfAAA", "0tenant@vendor=x y", "a=!+;:<>~"])(
    "keeps the tracestate %j",
    (tracestate) => {
      expect(readTraceContext(PARENT, tracestate)?.tracestate).toBe(tracestate);
    },
  );

  it.each([
    ["that is empty", ""],
    ["of empty members alone", ", ,"],
    ["with a key twice", "a=1,a=2"],
    ["without a value", "a="],
    ["with a key in upper case", "A=1"],
    ["with an equals sign in its value", "a=b=c"],
    ["with characters beyond ASCII", "a=ñ"],
    ["with a line break", "a=1\r\nset-cookie: b=2"],
    ["of too many members", Array.from({ length: 33 }, (_, index) => `k${index}=1`).join(",")],
    ["that is too long", `a=${"x".repeat(200)},b=${"x".repeat(200)},c=${"x".repeat(200)}`],
  ])("leaves out a tracestate %s", (_, tracestate) => {
    expect(readTraceContext(PARENT, tracestate)).toEqual({ traceparent: PARENT, tracestate: null });
  });
});

describe("a trace", () => {
  it("continues a trace with a new span id and the same flags and state", () => {
    const child = childOf({ traceparent: PARENT, tracestate: "a=1" }, random);
    expect(child).toEqual({ traceparent: `00-${TRACE_ID}-abababababababab-01`, tracestate: "a=1" });
  });

  it("traceIdOf returns the id that all parts of a trace share", () => {
    expect(traceIdOf({ traceparent: PARENT, tracestate: null })).toBe(TRACE_ID);
  });

  it("stored text that is no trace gives neither a child span nor a trace id", () => {
    const broken = { traceparent: "00-what\r\nx: y", tracestate: null };
    expect(childOf(broken, random)).toBeNull();
    expect(traceIdOf(broken)).toBeNull();
  });

  it("startTrace begins a sampled trace with random ids", () => {
    const { traceparent, tracestate } = startTrace(random);
    expect(traceparent).toBe(`00-${"ab".repeat(16)}-${"ab".repeat(8)}-01`);
    expect(tracestate).toBeNull();
  });

  it("writes a trace as one header, or two with a tracestate", () => {
    expect(traceHeaders({ traceparent: PARENT, tracestate: null })).toEqual({ traceparent: PARENT });
    expect(traceHeaders({ traceparent: PARENT, tracestate: "a=1" })).toEqual({
      traceparent: PARENT,
      tracestate: "a=1",
    });
  });
});
