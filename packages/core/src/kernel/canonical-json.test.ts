import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "./canonical-json.js";

/** A double from its bytes in hexadecimal. */
function double(bits: string): number {
  return Buffer.from(bits, "hex").readDoubleBE();
}

describe("canonical JSON", () => {
  it("canonicalJson writes the example of RFC 8785, section 3.2.2", () => {
    const value: unknown = JSON.parse(String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`);
    expect(canonicalJson(value)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  it("canonicalJson sorts members by UTF-16 units (RFC 8785, section 3.2.3)", () => {
    const value: unknown = JSON.parse(String.raw`{
      "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"
    }`);
    const written = canonicalJson(value);
    const order = ["Carriage Return", "One", "Control", "Latin Small", "Euro Sign", "Emoji", "Hebrew"];
    const places = order.map((text) => written.indexOf(text));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((one, other) => one - other));
  });

  it.each([
    ["0000000000000000", "0"],
    ["8000000000000000", "0"],
    ["0000000000000001", "5e-324"],
    ["7fefffffffffffff", "1.7976931348623157e+308"],
    ["4340000000000000", "9007199254740992"],
    ["4430000000000000", "295147905179352830000"],
    ["44b52d02c7e14af5", "9.999999999999997e+22"],
    ["44b52d02c7e14af6", "1e+23"],
    ["444b1ae4d6e2ef4e", "999999999999999700000"],
    ["444b1ae4d6e2ef50", "1e+21"],
    ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
    ["3eb0c6f7a0b5ed8d", "0.000001"],
    ["41b3de4355555553", "333333333.3333332"],
    ["becbf647612f3696", "-0.0000033333333333333333"],
    ["43143ff3c1cb0959", "1424953923781206.2"],
  ])("canonicalJson writes the number %s as %s (RFC 8785, appendix B)", (bits, text) => {
    expect(canonicalJson(double(bits))).toBe(text);
  });

  it.each([
    ["a number that is not finite", Number.NaN],
    ["an infinite number", [Number.POSITIVE_INFINITY]],
    ["half a surrogate pair", { a: "\ud800" }],
    ["half a surrogate pair in a name", { "\udead": 1 }],
    ["undefined", undefined],
  ])("canonicalJson refuses %s", (_what, value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });

  it("canonicalJson writes text that looks like an escaped surrogate, and a whole surrogate pair", () => {
    expect(canonicalJson({ a: "\\ud800", b: "\u{1f600}" })).toBe('{"a":"\\\\ud800","b":"\u{1f600}"}');
  });

  it("canonicalJson leaves out members that are undefined", () => {
    expect(canonicalJson({ b: undefined, a: [{ c: undefined }] })).toBe('{"a":[{}]}');
  });

  it.each([[{ b: 1 }], [{ b: 1, a: 2 }]])(
    "canonicalJson writes values outside of JSON as JSON.stringify does",
    (sorted) => {
      class Point {
        z = 1;
        toJSON() {
          return { y: this.z, x: [new Date(1)] };
        }
      }
      const holes = Object.assign([], { 2: 1 });
      const value = { ...sorted, c: [holes, [undefined], new Date(0)], d: new Point() };
      const written = canonicalJson(value);
      expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(JSON.parse(written))).toBe(written);
    },
  );

  it("canonicalJson writes the same text for any order of the members", () => {
    const shuffled = (value: object) => Object.fromEntries(Object.entries(value).reverse());
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue({ stringUnit: "grapheme" })), (value) => {
        const written = canonicalJson(value);
        expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(shuffled(value))).toBe(written);
        expect(canonicalJson(JSON.parse(written))).toBe(written);
      }),
    );
  });
});
