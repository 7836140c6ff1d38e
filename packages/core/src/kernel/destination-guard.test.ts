import { describe, expect, it } from "vitest";
import { checkDestinationUrl, isPublic } from "./destination-guard.js";

const isFine = (url: string) => checkDestinationUrl(url, false) === null;

describe("checkDestinationUrl", () => {
  it.each([
    "https://example.com/hooks?a=1",
    "http://example.com:8080",
    "HTTPS://EXAMPLE.COM/",
    "https://bücher.example/",
    "https://8.8.8.8/",
    "https://[2606:4700:4700::1111]/",
    "https://[::ffff:8.8.8.8]/",
    "https://localhost.example.com/",
    "https://notlocalhost/",
  ])("checkDestinationUrl accepts %s", (url) => {
    expect(isFine(url)).toBe(true);
  });

  it.each([
    "",
    "example.com",
    "//example.com",
    "ftp://example.com",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "https://",
    "https:example.com",
    "https://example.com:99999",
    " https://example.com",
    "https://example.com/a b",
    "https://example.com/\n",
    "https:\\\\example.com",
    "https://1.2.3.4.5",
    "https://[fe80::1%25eth0]/",
  ])("checkDestinationUrl refuses %j, which is no http or https URL", (url) => {
    expect(checkDestinationUrl(url, false)).toMatch(/http or https/);
    expect(checkDestinationUrl(url, true)).toMatch(/http or https/);
  });

  it.each(["https://user:secret@example.com", "https://user@example.com", "https://:secret@example.com"])(
    "checkDestinationUrl refuses the credentials in %s",
    (url) => {
      expect(checkDestinationUrl(url, false)).toMatch(/credentials/);
      expect(checkDestinationUrl(url, true)).toMatch(/credentials/);
    },
  );

  it("checkDestinationUrl accepts 2,048 characters and refuses more", () => {
    const url = "https://example.com/".padEnd(2_048, "a");
    expect(isFine(url)).toBe(true);
    expect(checkDestinationUrl(`${url}a`, true)).toMatch(/2048/);
  });

  it.each([
    ["unspecified", "0.0.0.0"],
    ["this network", "0.1.2.3"],
    ["private", "10.0.0.1"],
    ["private", "172.16.0.1"],
    ["private", "172.31.255.255"],
    ["private", "192.168.1.1"],
    ["carrier-grade NAT", "100.64.0.1"],
    ["loopback", "127.0.0.1"],
    ["loopback", "127.255.255.254"],
    ["link-local, metadata", "169.254.169.254"],
    ["protocol assignments", "192.0.0.192"],
    ["documentation", "203.0.113.7"],
    ["6to4 relay", "192.88.99.1"],
    ["benchmarking", "198.18.0.1"],
    ["multicast", "224.0.0.1"],
    ["reserved", "240.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["Azure's metadata", "168.63.129.16"],
    ["unspecified", "[::]"],
    ["loopback", "[::1]"],
    ["link-local", "[fe80::1]"],
    ["site-local", "[fec0::1]"],
    ["unique local", "[fc00::1]"],
    ["metadata", "[fd00:ec2::254]"],
    ["multicast", "[ff02::1]"],
    ["discard", "[100::1]"],
    ["documentation", "[2001:db8::1]"],
    ["documentation", "[3fff::1]"],
    ["benchmarking", "[2001:2::1]"],
    ["segment routing", "[5f00::1]"],
    ["unassigned", "[4000::1]"],
    ["IPv4-mapped", "[::ffff:127.0.0.1]"],
    ["IPv4-mapped", "[::ffff:a9fe:a9fe]"],
    ["IPv4-mapped", "[::ffff:168.63.129.16]"],
    ["IPv4-compatible", "[::127.0.0.1]"],
    ["IPv4-compatible", "[::8.8.8.8]"],
    ["IPv4-translated", "[::ffff:0:127.0.0.1]"],
    ["NAT64", "[64:ff9b::127.0.0.1]"],
    ["NAT64", "[64:ff9b::a9fe:a9fe]"],
    ["local NAT64", "[64:ff9b:1::10.0.0.1]"],
    ["6to4", "[2002:7f00:1::1]"],
    ["Teredo", "[2001:0:7f00:1::1]"],
    ["decimal", "2130706433"],
    ["octal", "0177.0.0.1"],
    ["octal", "017700000001"],
    ["hexadecimal", "0x7f.0.0.1"],
    ["hexadecimal", "0x7f000001"],
    ["short", "127.1"],
    ["short", "0"],
    ["full-width", "１２７.０.０.１"],
    ["circled", "①②⑦.⓪.⓪.①"],
    ["ideographic dots", "127。0。0。1"],
    ["percent-encoded", "%31%32%37.0.0.1"],
    ["with a dot behind", "127.0.0.1."],
    ["this machine's name", "localhost"],
    ["this machine's name", "LOCALHOST"],
    ["this machine's name", "localhost."],
    ["this machine's name", "api.localhost"],
    ["this machine's name, encoded", "loc%61lhost"],
    ["this machine's name, circled", "ⓛocalhost"],
  ])("checkDestinationUrl refuses a %s host, %s, unless private destinations are allowed", (_, host) => {
    expect(checkDestinationUrl(`https://${host}/`, false)).toBe("The URL must lead to a public address.");
    expect(checkDestinationUrl(`http://${host}:8080/hooks`, false)).toBe("The URL must lead to a public address.");
    expect(checkDestinationUrl(`https://${host}/`, true)).toBeNull();
  });
});

describe("isPublic", () => {
  it.each(["8.8.8.8", "2606:4700:4700::1111", "::ffff:8.8.8.8"])("isPublic accepts %s", (address) => {
    expect(isPublic(address)).toBe(true);
  });

  it.each([
    "127.0.0.1",
    "10.0.0.1",
    "169.254.169.254",
    "168.63.129.16",
    "::1",
    "::7f00:1",
    "::ffff:127.0.0.1",
    "::ffff:168.63.129.16",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "fe80::1%eth0",
    "fd00:ec2::254",
    "localhost",
    "",
  ])("isPublic refuses %j", (address) => {
    expect(isPublic(address)).toBe(false);
  });
});
