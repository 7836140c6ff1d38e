import { describe, expect, it } from "vitest";
import { complaintOf, withoutPasswords } from "./complaint.js";
import { StartFailure } from "./failures.js";

describe("what is told of passwords in URLs", () => {
  it.each([
    ["postgres://app:horse@host/b", "postgres://app:***@host/b"],
    ["'postgres://app:ho@r:s/e@host/b?x=1'", "'postgres://app:***@host/b?x=1'"],
    ["postgres://admin@srv:horse@host/b", "postgres://admin@srv:***@host/b"],
    ["postgres://admin@srv:ho@r:s/e@host/b", "postgres://admin@srv:***@host/b"],
    ["redis://:horse@host", "redis://:***@host"],
    ["to=postgres://app:horse@/b?host=%2Ftmp, and more", "to=postgres://app:***@/b?host=%2Ftmp, and more"],
    ["postgres://host/b?user=app&password=horse&x=1", "postgres://host/b?user=app&password=***&x=1"],
    ["postgres://host/b?sslpassword=horse", "postgres://host/b?sslpassword=***"],
  ])("hides the password in %s", (text, shown) => {
    expect(withoutPasswords(text)).toBe(shown);
    expect(withoutPasswords(`of ${text}\nand of ${text}`)).toBe(`of ${shown}\nand of ${shown}`);
  });

  it("hides a password that contains a blank, in an argument that is known", () => {
    const argument = "--too=postgres://app:white horse@host/b";
    expect(withoutPasswords(`unknown option '${argument}'`, ["copy", argument])).toBe(
      "unknown option '--too=postgres://app:***@host/b'",
    );
  });

  it("hides nothing in a text without a password", () => {
    for (const text of [
      "http://localhost:3000/v1",
      "ana@example.com",
      "postgres://app@host:5432/b",
      "file:./b.db",
      "",
    ]) {
      expect(withoutPasswords(text, [text])).toBe(text);
    }
  });
});

describe("what is told of an error", () => {
  it("shows the message of an error that the operator can mend, and all of another", () => {
    expect(complaintOf(new StartFailure("DATABASE_URL postgres://app:horse@h/b"))).toBe(
      "DATABASE_URL postgres://app:***@h/b",
    );
    const error = Object.assign(new TypeError("Invalid URL"), { input: "postgres://app:horse@h:x/b" });
    expect(complaintOf(error)).toMatch(/TypeError: Invalid URL[\s\S]+input: 'postgres:\/\/app:\*\*\*@h:x\/b'/);
  });
});
