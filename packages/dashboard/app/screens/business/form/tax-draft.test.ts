import type { NamedTax } from "@budgetkit/client";
import { describe, expect, it } from "vitest";
import { draftOf, NEW_TAX, rateOf, taxOf, withoutTax, withTax } from "./tax-draft.js";

const iva: NamedTax = { id: "iva", name: "IVA", rate: 0.21, kind: "tax", inclusive: false, on: [], default: true };
const local: NamedTax = { ...iva, id: "local", name: "Local", rate: 0.03, on: ["iva"] };

describe("rateOf", () => {
  it("reads a percentage with a point, a comma or its sign", () => {
    expect(["21", "10.5", "10,5", " 3 % ", "0", "100"].map(rateOf)).toEqual([0.21, 0.105, 0.105, 0.03, 0, 1]);
  });

  it("reads nothing else", () => {
    expect(["", "-1", "100.01", "1e2", "21.5.2", "abc"].map(rateOf)).toEqual([null, null, null, null, null, null]);
  });
});

describe("taxOf", () => {
  it("a draft that is not edited makes the same tax", () => {
    expect(taxOf(draftOf({ ...iva, rate: 0.105 }), [iva], "iva")).toEqual({ tax: { ...iva, rate: 0.105 } });
  });

  it("a tax without a name is named by its id", () => {
    expect(taxOf({ ...NEW_TAX, id: " vat ", rate: "20" }, [], null)).toMatchObject({ tax: { id: "vat", name: "vat" } });
  });

  it("a tax without an id has one made of its name", () => {
    const draft = { ...NEW_TAX, name: "Impuesto único 10,5 %", rate: "10.5" };
    expect(taxOf(draft, [], null)).toMatchObject({ tax: { id: "impuesto-unico-10-5" } });
    expect(taxOf({ ...draft, name: "%" }, [], null)).toEqual({ fault: "id" });
  });

  it("refuses an id that is taken or not possible, and a rate that is none", () => {
    const draft = { ...NEW_TAX, id: "iva", rate: "20" };
    expect(taxOf(draft, [iva], null)).toEqual({ fault: "idTaken" });
    expect(taxOf({ ...draft, id: "a b" }, [iva], null)).toEqual({ fault: "id" });
    expect(taxOf({ ...draft, id: "vat", rate: "x" }, [iva], null)).toEqual({ fault: "rate" });
  });
});

describe("withTax", () => {
  it("keeps what other taxes name by an id that changed", () => {
    expect(withTax([iva, local], { ...iva, id: "vat" }, "iva")).toEqual([
      { ...iva, id: "vat" },
      { ...local, on: ["vat"] },
    ]);
  });
});

describe("withoutTax", () => {
  it("takes a tax out of the bases of the others", () => {
    expect(withoutTax([iva, local], "iva")).toEqual([{ ...local, on: [] }]);
  });
});
