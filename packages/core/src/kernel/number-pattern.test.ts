import { describe, expect, it } from "vitest";
import { numberIn, patternFault, placeIn, seriesAt } from "./number-pattern.js";

const NEW_YEAR = Date.UTC(2027, 0, 1, 2); // still 2026 west of Greenwich

describe("a pattern of numbers", () => {
  it.each([
    "{seq}",
    "Q-{year}-{seq:4}",
    "{year}{month}/{seq:9}",
    "Nº {seq} €",
    "{seq:1}-{year}-{year}",
    `${"x".repeat(35)}{seq}`,
  ])("accepts %s as a number pattern", (pattern) => expect(patternFault(pattern)).toBeNull());

  it.each([
    ["", "exactly once"],
    ["Q-{year}", "exactly once"],
    ["{seq}-{seq:2}", "exactly once"],
    ["{seq:0}", "exactly once"],
    ["{seq:10}", "exactly once"],
    ["{day}-{seq}", "in braces"],
    ["{{seq}}", "in braces"],
    ['"{seq}"', "quotes"],
    ["\\{seq}", "backslashes"],
    ["a\u0000{seq}", "printable"],
    ["a\n{seq}", "printable"],
    ["\ud800{seq}", "printable"],
    [" {seq}", "space"],
    [`${"x".repeat(36)}{seq}`, "40 characters"],
  ])("refuses the number pattern %j", (pattern, reason) => expect(patternFault(pattern)).toContain(reason));

  it("a number pattern fills in the year and the month of the time zone", () => {
    const pattern = "{year}/{month}-{seq:3}";
    expect(seriesAt(pattern, NEW_YEAR, "UTC")).toEqual({
      key: "2027/01-{seq:3}",
      before: "2027/01-",
      digits: 3,
      after: "",
    });
    expect(seriesAt(pattern, NEW_YEAR, "America/Lima").key).toBe("2026/12-{seq:3}");
    expect(seriesAt("N{seq}", NEW_YEAR, "UTC").key).toBe(seriesAt("N{seq}", 0, "UTC").key);
  });

  it("a number pattern writes a value with its digits, or more when it needs them", () => {
    const series = seriesAt("Q-{year}-{seq:4}.", NEW_YEAR, "UTC");
    expect([1, 9_999, 10_000].map((value) => numberIn(series, value))).toEqual([
      "Q-2027-0001.",
      "Q-2027-9999.",
      "Q-2027-10000.",
    ]);
  });

  it("finds the series and the value of a number that the pattern makes, of any year", () => {
    const place = placeIn("Q({year})+{month}-{seq:3}", "Q(2019)+07-1234");
    expect(place).toMatchObject({ series: { key: "Q(2019)+07-{seq:3}" }, value: 1_234 });
    expect(placeIn("{seq}", "42")).toMatchObject({ series: { key: "{seq}" }, value: 42 });
    expect(placeIn("{year}-{year}-{seq}", "2019-2019-5")?.value).toBe(5);
  });

  it.each(["Q-2026-001", "Q-2026-00001", "Q-26-0001", "R-2026-0001", "Q-2026-0000", "Q-2026-0001 ", "Q-2026-"])(
    "recognises no number of the pattern in %j",
    (number) => expect(placeIn("Q-{year}-{seq:4}", number)).toBeNull(),
  );
});
