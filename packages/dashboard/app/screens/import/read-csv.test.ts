import { describe, expect, it } from "vitest";
import { decodeText } from "./decode-text.js";
import { readCsv } from "./read-csv.js";
import { writeCsv } from "./write-csv.js";

describe("readCsv", () => {
  it.each([",", ";", "\t", "|"])("finds the delimiter %j by itself, and reads quoted cells", async (delimiter) => {
    const text = [
      ["name", "note"],
      ["Ana", `"a${delimiter} ""b""\nc"`],
    ]
      .map((row) => row.join(delimiter))
      .join("\r\n");
    expect(await readCsv(text)).toEqual([
      ["name", "note"],
      ["Ana", `a${delimiter} "b"\nc`],
    ]);
  });

  it("leaves out empty lines, the mark of order and the apostrophes that make formulas harmless", async () => {
    expect(await readCsv("\uFEFFname,phone\n\n , \nAna,'+54 11 4000\n'tis,-\n")).toEqual([
      ["name", "phone"],
      ["Ana", "+54 11 4000"],
      ["'tis", "-"],
    ]);
  });

  it("reads a file of several chunks whole, and a column alone", async () => {
    const rows = Array.from({ length: 9_000 }, (_, index) => `Customer number ${index} with a long name;${index}`);
    expect(await readCsv(rows.join("\n"))).toHaveLength(9_000);
    expect(await readCsv("name\nAna\n")).toEqual([["name"], ["Ana"]]);
  });

  it.each([
    ["", "empty"],
    ["name\n".repeat(10_002), "tooManyRows"],
    ["a".repeat(5 * 1024 * 1024 + 1), "tooLarge"],
    [`a${",".repeat(100)}`, "tooManyColumns"],
    ['name\n"Ana', "broken"],
  ])("refuses a file that cannot be used, case %#", async (text, problem) => {
    await expect(readCsv(text)).rejects.toMatchObject({ problem });
  });
});

describe("decodeText", () => {
  it("reads UTF-8, UTF-16 and the Windows-1252 of older spreadsheets", () => {
    expect(decodeText(new TextEncoder().encode("Peña"))).toBe("Peña");
    expect(decodeText(Uint8Array.of(0x50, 0x65, 0xf1, 0x61))).toBe("Peña");
    expect(decodeText(Uint8Array.of(0xff, 0xfe, 0x50, 0, 0xf1, 0))).toBe("Pñ");
  });
});

describe("writeCsv", () => {
  it("a file of it has no formula, and is read back as it was", async () => {
    const rows = [
      ["name", "phone", "note"],
      ["=Ana", "+54 11", 'two\nlines, "quoted"'],
    ];
    expect(writeCsv(rows)).toContain(`"'=Ana","'+54 11"`);
    expect(await readCsv(writeCsv(rows))).toEqual(rows);
  });
});
