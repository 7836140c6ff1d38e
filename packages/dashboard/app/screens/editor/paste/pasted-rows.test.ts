import { describe, expect, it } from "vitest";
import { linesOf, understandRows } from "./pasted-rows.js";

const keys = () => {
  let count = 0;
  return () => {
    count += 1;
    return `k${count}`;
  };
};

const cells = (text: string) => text.split("\n").map((row) => row.split("\t"));

describe("understandRows", () => {
  it("takes columns by their names in three languages", () => {
    const { columns, rows, isObvious } = understandRows(
      cells("Descripción\tCant.\tPrecio unitario\tTotal\nBajo mesada\t2\t10\t20"),
      ".",
    );
    expect(columns).toEqual(["description", "quantity", "unitPrice", "ignored"]);
    expect(rows).toEqual([["Bajo mesada", "2", "10", "20"]]);
    expect(isObvious).toBe(true);
  });

  it("guesses columns without names, and says that it did", () => {
    const { columns, isObvious } = understandRows(
      cells("Tiles, laid\t28\tm²\t24000\t10%\nFreight\t1\t\t180000\t"),
      ".",
    );
    expect(columns).toEqual(["description", "quantity", "unit", "unitPrice", "discount"]);
    expect(isObvious).toBe(false);
  });

  it("takes one column of numbers as prices", () => {
    expect(understandRows(cells("Tiles\t$ 24.000,50\nFreight\t$ 180.000,00"), ".").columns).toEqual([
      "description",
      "unitPrice",
    ]);
  });

  it("reads the marks of the table, not of the reader, where these do not fit", () => {
    const table = understandRows(cells("Tiles\t24.000,50\nFreight\t180.000,00"), ".");
    expect(linesOf(table, keys()).map(({ unitPrice }) => unitPrice)).toEqual(["24000.5", "180000"]);
  });

  it("a single column leaves nothing to ask", () => {
    expect(understandRows(cells("Tiles\nFreight"), ".")).toMatchObject({ columns: ["description"], isObvious: true });
  });
});

describe("linesOf", () => {
  it("makes a section of a row without a price, and leaves empty rows out", () => {
    const table = understandRows(cells("Description\tQty\tPrice\nFurniture\t\t\n\t\t\nCabinets\t2\t1,480.50"), ".");
    expect(linesOf(table, keys())).toMatchObject([
      { kind: "heading", description: "Furniture" },
      { kind: "item", description: "Cabinets", quantity: "2", unitPrice: "1480.5" },
    ]);
  });

  it("keeps a text that is no number, so that somebody sees and mends it", () => {
    const table = { ...understandRows(cells("Description\tPrice\nCabinets\tas agreed"), "."), mark: "." } as const;
    expect(linesOf(table, keys())[0]?.unitPrice).toBe("as agreed");
  });

  it("reads discounts in percent", () => {
    const table = understandRows(cells("Description\tPrice\tDiscount\nCabinets\t10\t7.5 %\nTop\t10\t0%"), ".");
    expect(linesOf(table, keys()).map(({ discount }) => discount)).toEqual(["7.5%", ""]);
  });

  it("shows markup and signs of direction as the text that they are", () => {
    const hostile = '<img src=x onerror="alert(1)">\u202e';
    const table = understandRows(
      [
        ["Description", "Price"],
        [hostile, "1"],
      ],
      ".",
    );
    expect(linesOf(table, keys())[0]?.description).toBe(hostile.trim());
  });
});
