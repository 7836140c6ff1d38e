import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldForSearch } from "./fold-for-search.js";

/** The full foldings (status F) of CaseFolding.txt, in hexadecimal. */
const FULL = `
  df=73+73 130=69+307 149=2bc+6e 1f0=6a+30c 390=3b9+308+301 3b0=3c5+308+301 587=565+582 1e96=68+331 1e97=74+308
  1e98=77+30a 1e99=79+30a 1e9a=61+2be 1e9e=73+73 1f50=3c5+313 1f52=3c5+313+300 1f54=3c5+313+301 1f56=3c5+313+342
  1f80=1f00+3b9 1f81=1f01+3b9 1f82=1f02+3b9 1f83=1f03+3b9 1f84=1f04+3b9 1f85=1f05+3b9 1f86=1f06+3b9 1f87=1f07+3b9
  1f88=1f00+3b9 1f89=1f01+3b9 1f8a=1f02+3b9 1f8b=1f03+3b9 1f8c=1f04+3b9 1f8d=1f05+3b9 1f8e=1f06+3b9 1f8f=1f07+3b9
  1f90=1f20+3b9 1f91=1f21+3b9 1f92=1f22+3b9 1f93=1f23+3b9 1f94=1f24+3b9 1f95=1f25+3b9 1f96=1f26+3b9 1f97=1f27+3b9
  1f98=1f20+3b9 1f99=1f21+3b9 1f9a=1f22+3b9 1f9b=1f23+3b9 1f9c=1f24+3b9 1f9d=1f25+3b9 1f9e=1f26+3b9 1f9f=1f27+3b9
  1fa0=1f60+3b9 1fa1=1f61+3b9 1fa2=1f62+3b9 1fa3=1f63+3b9 1fa4=1f64+3b9 1fa5=1f65+3b9 1fa6=1f66+3b9 1fa7=1f67+3b9
  1fa8=1f60+3b9 1fa9=1f61+3b9 1faa=1f62+3b9 1fab=1f63+3b9 1fac=1f64+3b9 1fad=1f65+3b9 1fae=1f66+3b9 1faf=1f67+3b9
  1fb2=1f70+3b9 1fb3=3b1+3b9 1fb4=3ac+3b9 1fb6=3b1+342 1fb7=3b1+342+3b9 1fbc=3b1+3b9 1fc2=1f74+3b9 1fc3=3b7+3b9
  1fc4=3ae+3b9 1fc6=3b7+342 1fc7=3b7+342+3b9 1fcc=3b7+3b9 1fd2=3b9+308+300 1fd3=3b9+308+301 1fd6=3b9+342
  1fd7=3b9+308+342 1fe2=3c5+308+300 1fe3=3c5+308+301 1fe4=3c1+313 1fe6=3c5+342 1fe7=3c5+308+342 1ff2=1f7c+3b9
  1ff3=3c9+3b9 1ff4=3ce+3b9 1ff6=3c9+342 1ff7=3c9+342+3b9 1ffc=3c9+3b9 fb00=66+66 fb01=66+69 fb02=66+6c
  fb03=66+66+69 fb04=66+66+6c fb05=73+74 fb06=73+74 fb13=574+576 fb14=574+565 fb15=574+56b fb16=57e+576
  fb17=574+56d
`;

/** Letters whose folding differs from Unicode's: the dot above a capital i is dropped, and the dotless i has one. */
const TURKISH = ["İ", "ı"];

/** Every character with a case or another form, and thousands of others. Beyond, Unicode has none. */
const CHARACTERS = Array.from({ length: 0x30000 }, (_, point) => point)
  .filter((point) => point < 0xd800 || point > 0xdfff)
  .map((point) => String.fromCodePoint(point))
  .filter((character, index) => index % 64 === 0 || formsOf(character).some((form) => form !== character));

describe("the text that a search compares", () => {
  it("foldForSearch applies each full case folding of Unicode", () => {
    const foldings = FULL.trim()
      .split(/\s+/)
      .map((line) => line.split("=").map(textOf));
    expect(foldings).toHaveLength(104);
    for (const [character = "", folding = ""] of foldings) {
      if (TURKISH.includes(character)) continue;
      expect(foldForSearch(character), character).toBe(foldForSearch(folding.normalize("NFKC")));
      expect(foldForSearch(folding), character).toBe(folding.normalize("NFKC"));
    }
  });

  it("foldForSearch applies each simple case folding of Unicode, as regular expressions compare", () => {
    for (const character of CHARACTERS) {
      const variants = [character.toLowerCase(), character.toUpperCase()];
      for (const variant of variants) {
        if (variant === character || [...variant].length > 1 || TURKISH.includes(character)) continue;
        if (new RegExp(`^${character}$`, "iu").test(variant)) {
          expect(foldForSearch(variant), character).toBe(foldForSearch(character));
        }
      }
    }
  });

  it("foldForSearch treats lower case, upper case, decomposed and compatibility forms of a character alike", () => {
    const differs = CHARACTERS.filter((character) => {
      const folded = foldForSearch(character);
      return formsOf(character).some((form) => foldForSearch(form) !== folded);
    });
    expect(differs).toEqual([]);
  });

  it("foldForSearch treats all forms of texts of letters and marks alike", () => {
    const pieces = [..."iIİıςΣßẞåK ﬁǰj\u030cᾳΐ\u0307\u0301\u0323\u0327\u0328\u0308한\u1112\u1161\u11ab½²ﷺ\u200dŉ"];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 6 }), (drawn) => {
        const text = drawn.join("");
        for (const form of formsOf(text)) expect(foldForSearch(form)).toBe(foldForSearch(text));
      }),
    );
  });

  it("foldForSearch turns each of the four Turkish letters i into an i", () => {
    expect(foldForSearch("Iİıi i\u0307")).toBe("iiii i");
    expect(foldForSearch("i\u0323\u0307")).toBe("ị");
  });

  it("foldForSearch keeps accents, and characters that no rule maps", () => {
    expect(foldForSearch("Ñandú, Perú 🪑 日本 %_\\\u001f")).toBe("ñandú, perú 🪑 日本 %_\\\u001f");
    expect(foldForSearch("a\ud800b")).toBe("a\ud800b");
  });

  it("foldForSearch is never empty for a text that is not, since an empty search matches every record", () => {
    expect(CHARACTERS.filter((character) => foldForSearch(character) === "")).toEqual([]);
  });
});

/**
 * The text in other forms, its folded one included: those that stores have kept of it. Capitals are made of the composed
 * text: a iota subscript becomes a letter there, to which later marks would move. Source: Unicode, section 3.13.
 */
function formsOf(text: string): readonly string[] {
  const capitals = text.normalize("NFC").toUpperCase();
  const forms = [text.toLowerCase(), capitals, text.normalize("NFD"), text.normalize("NFKD")];
  return [...forms, text.toLowerCase().normalize("NFD"), foldForSearch(text)];
}

function textOf(points: string | undefined): string {
  return String.fromCodePoint(...(points ?? "").split("+").map((point) => Number.parseInt(point, 16)));
}
