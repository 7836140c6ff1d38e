import { describe, expect, it } from "vitest";
import { mark, matches } from "./mark.js";

const marked = (text: string, search: string) =>
  mark(text, search)
    .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
    .join("");

describe("mark", () => {
  it("marks what the words match, without case and accents", () => {
    expect(marked("Hotel Alcázar", "alc")).toBe("Hotel [Alc]ázar");
    expect(marked("Hotel Alcázar", "ALCAZAR hot")).toBe("[Hot]el [Alcázar]");
    expect(marked("P-2026-0141", "0141")).toBe("P-2026-[0141]");
  });

  it("keeps letters whole that fold to none or to two", () => {
    expect(marked("Straße 5", "strasse")).toBe("[Straße] 5");
    expect(marked("Jose\u0301 Paz", "jose paz")).toBe("[Jose\u0301] [Paz]");
    expect(marked("👩‍🔧 Oak", "oak")).toBe("👩‍🔧 [Oak]");
  });

  it("marks nothing for a search of spaces, or one that is not there", () => {
    expect(marked("Oak", "  ")).toBe("Oak");
    expect(marked("Oak", "elm")).toBe("Oak");
  });
});

describe("matches", () => {
  it("needs every word", () => {
    expect(matches("New API key", "key new")).toBe(true);
    expect(matches("New API key", "key webhook")).toBe(false);
    expect(matches("New API key", "")).toBe(true);
  });
});
