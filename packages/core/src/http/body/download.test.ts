import { describe, expect, it } from "vitest";
import { downloadHeaders } from "./download.js";

async function* nothing(): AsyncGenerator<Uint8Array> {}

function dispositionOf(fileName: string): string | undefined {
  const file = { fileName, contentType: "text/plain", size: 0, sha256: "00", content: nothing() };
  return downloadHeaders(file)["content-disposition"];
}

describe("the Content-Disposition of a download", () => {
  it.each([
    ["offer.pdf", 'attachment; filename="offer.pdf"'],
    ["my offer (1).pdf", 'attachment; filename="my offer (1).pdf"'],
    ["año.pdf", "attachment; filename=\"a_o.pdf\"; filename*=UTF-8''a%C3%B1o.pdf"],
    ["100%.pdf", "attachment; filename=\"100_.pdf\"; filename*=UTF-8''100%25.pdf"],
    ["a;b=c'(*)!.pdf", `attachment; filename="a;b=c'(*)!.pdf"`],
    ["é'(*)!~.pdf", "attachment; filename=\"_'(*)!~.pdf\"; filename*=UTF-8''%C3%A9%27%28%2A%29!~.pdf"],
    ["🙂.png", "attachment; filename=\"_.png\"; filename*=UTF-8''%F0%9F%99%82.png"],
    ['a"b\\c', "attachment; filename=\"a_b_c\"; filename*=UTF-8''a%22b%5Cc"],
  ])("the Content-Disposition of %s is %s", (fileName, disposition) => {
    expect(dispositionOf(fileName)).toBe(disposition);
  });
});
