import { describe, expect, it } from "vitest";
import { formatsOf } from "./formats.js";

const english = formatsOf("en", "America/Argentina/Buenos_Aires");
const now = Date.parse("2026-11-26T15:00:00Z");

describe("formatsOf", () => {
  it("splits an amount into what is typeset apart", () => {
    expect(english.money(1_284_600.5, "ARS")).toEqual({ sign: "", whole: "1,284,600", minor: ".50" });
    expect(english.money(-20, "JPY")).toEqual({ sign: "-", whole: "20", minor: "" });
    expect(formatsOf("es-AR", "UTC").money(3_979_000, "ARS")).toEqual({ sign: "", whole: "3.979.000", minor: ",00" });
  });

  it("writes an amount as one text for labels", () => {
    expect(english.moneyText(8_460, "USD")).toBe("USD 8,460.00");
  });

  it("counts days by the calendar of the business, not in steps of 24 hours", () => {
    expect(english.daysUntil("2026-11-27T02:59:00Z", now)).toBe(0); // 23:59 of the 26th there
    expect(english.daysUntil("2026-11-27T03:00:00Z", now)).toBe(1);
    expect(english.until("2026-11-29T12:00:00Z", now)).toBe("in 3 days");
    expect(english.until("2026-11-26T16:00:00Z", now)).toBe("today");
  });

  it("a past moment reads as how long ago it is, in the largest whole unit", () => {
    expect(english.ago("2026-11-26T14:51:00Z", now)).toBe("9m ago");
    expect(english.ago("2026-11-26T12:00:00Z", now)).toBe("3h ago");
    expect(english.ago("2026-11-24T12:00:00Z", now)).toBe("2d ago");
  });
});
