import { describe, expect, it } from "vitest";
import { emailKeyOf, isEmailAddress, mailLinkOf } from "./email-address.js";

describe("an email address", () => {
  it.each([
    "ana@example.com",
    "info@müller-bau.example",
    "jörg@example.com",
    "jörg@müller-bau.example",
    "test&test@example.com",
    "sales/eu@example.com",
    "o'brien+quotes=1@mail.example.co",
    "!#$%&'*+/=?^_`{|}~-@example.com",
    "用户@例子.广告",
    "почта@пример.рф",
    "ana@xn--mller-bau-q9a.example",
    "ana@example.xn--p1ai",
    "a.b.c@a-b--c.example",
    `ana@${"a".repeat(63)}.example`,
    "🪑@example.com",
    "jose\u0301@example.com",
    `${"x".repeat(70)}@example.com`,
  ])("accepts %s as an email address", (address) => {
    expect(isEmailAddress(address)).toBe(true);
  });

  it.each([
    "",
    "ana",
    "example.com",
    "@example.com",
    "ana@",
    "ana@localhost",
    "ana@example.c",
    "ana@127.0.0.1",
    "ana@[127.0.0.1]",
    "ana@.example.com",
    "ana@example..com",
    "ana@example.com.",
    "ana@-example.com",
    "ana@example-.com",
    "ana@b-.com",
    "ana@mail.-b.com",
    "ana@example.com-",
    "ana@müller-.example",
    `ana@${"a".repeat(64)}.example`,
    `ana@${"ü".repeat(62)}.example`, // more than 63 in ASCII
    "ana@exa_mple.com",
    "ana@exa%6dple.com",
    "ana@münchen.de/x",
    "ana@\u200d.com",
    ".ana@example.com",
    "ana.@example.com",
    "a..na@example.com",
    "a na@example.com",
    " ana@example.com",
    "ana@example.com\r\nBcc: eve@example.com",
    "ana@example.com\n",
    "ana,eve@example.com",
    "ana@eve@example.com",
    "Ana <ana@example.com>",
    '"a b"@example.com',
    "a\u00a0na@example.com",
    "a\u202ena@example.com",
    "a\u200bna@example.com",
    "a\ud800na@example.com",
    "a\0na@example.com",
  ])("refuses %j as an email address", (address) => {
    expect(isEmailAddress(address)).toBe(false);
  });
});

describe("the login of an email address", () => {
  it("emailKeyOf gives one key for every case and Unicode form, with the domain in ASCII", () => {
    const key = emailKeyOf("jörg@müller-bau.example");
    expect(key).toBe("jörg@xn--mller-bau-q9a.example");
    for (const same of ["JÖRG@MÜLLER-BAU.example", "jo\u0308rg@mu\u0308ller-bau.example", key]) {
      expect(emailKeyOf(same)).toBe(key);
    }
  });

  it("emailKeyOf turns an ASCII address into lower case", () => {
    for (const address of ["Ana+1@Example.COM", "ana@xn--a.com", "ana", "", "a@b@c"]) {
      expect(emailKeyOf(address)).toBe(address.toLowerCase());
    }
  });

  it("emailKeyOf keeps text after the @ that is no domain", () => {
    expect(emailKeyOf("ana@ü ü")).toBe("ana@ü ü");
  });

  it("emailKeyOf distinguishes accents and letters of other scripts", () => {
    expect(emailKeyOf("jorg@example.com")).not.toBe(emailKeyOf("jörg@example.com"));
    expect(emailKeyOf("\u0430na@example.com")).not.toBe(emailKeyOf("ana@example.com"));
  });
});

it("mailLinkOf escapes the address, so that it adds no header", () => {
  expect(mailLinkOf("a?bcc=eve&x@example.com")).toBe("mailto:a%3Fbcc%3Deve%26x@example.com");
  expect(mailLinkOf("jörg@müller.example")).toBe("mailto:j%C3%B6rg@m%C3%BCller.example");
});
