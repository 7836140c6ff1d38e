import assert from "node:assert/strict";
import { MINUTE_MS } from "@budgetkit/core/store";
import type { HttpCases } from "./cases.js";
import type { Client } from "./client.js";
import { load } from "./customer-page.js";
import { aFileForm, aForm } from "./forms.js";
import { assertStatus, HTML, linked } from "./samples.js";

const LOGO = "/api/developer/business/logo";
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

export function logoCases({ it }: HttpCases): void {
  const set = (client: Client, content: string | Uint8Array) => {
    const { body, headers } = aFileForm(content, { fileName: "logo" });
    return client.put(LOGO, body, headers);
  };

  it("an administrator sets the logo, replaces it, shows it on the page and removes it", async (world) => {
    const { full, owner, member, anonymous, stranger, blobs, clock, send } = world;
    const { link } = await linked(full);
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0L9 9"/></svg>';
    assertStatus(await owner.get(LOGO), 404);
    assert.equal((await load(send, `${link}/logo`)).status, 404);
    assertStatus(await set(member, PIXEL), 403);
    assertStatus(await set(stranger, PIXEL), 401);
    assertStatus(await set(owner, svg), 200);
    const changed = assertStatus(await set(owner, PIXEL), 200);
    changed.assertAt({ "logo.contentType": "image/png", "logo.size": PIXEL.byteLength });
    assert.equal((await blobs.findBlobsBefore(clock.now() + 1, null, 10)).ids.length, 1);
    const got = await member.get(LOGO);
    assert.equal(Buffer.compare(got.bytes, PIXEL), 0);
    const page = (await anonymous.get(link, HTML)).body;
    assert.match(page, /<img class="logo" src="[^"]*\/logo\?v=[0-9a-f]{16}" alt="[^"]+">/);
    const shown = await load(send, `${link}/logo?v=1`);
    assert.equal(shown.status, 200);
    assert.equal(Buffer.compare(shown.bytes, PIXEL), 0);
    assert.equal(shown.headers["content-security-policy"], "sandbox; default-src 'none'");
    assert.equal(shown.headers["x-content-type-options"], "nosniff");
    assert.equal((await load(send, `${link}/logo`, { "if-none-match": shown.headers.etag ?? "" })).status, 304);
    assert.equal(assertStatus(await owner.delete(LOGO), 200).at("logo"), undefined);
    assert.deepEqual((await blobs.findBlobsBefore(clock.now() + 1, null, 10)).ids, []);
    assertStatus(await owner.delete(LOGO), 404);
  });

  it("the logo survives the sweep of blobs without a row", async ({ owner, service, business, clock }) => {
    await set(owner, PIXEL);
    clock.advance(2 * 60 * MINUTE_MS);
    await service.tick();
    assert.ok((await service.businesses.getLogo(business)).isOk());
  });

  it("refuses a logo that is no image (LOGO_NOT_SUPPORTED) or above half a megabyte", async ({ owner }) => {
    for (const content of ["GIF89a", "", "<svg", "<html/>", PIXEL.subarray(0, 20)]) {
      const refused = assertStatus(await set(owner, content), 422);
      assert.ok(refused.body.includes("LOGO_NOT_SUPPORTED"));
    }
    assertStatus(await set(owner, new Uint8Array(512 * 1024 + 1)), 413);
  });

  it("reads no more of a logo's form than its size limit, whatever the parts are (413)", async ({ owner }) => {
    const large = new Uint8Array(600 * 1024);
    const forms = [
      aForm({ name: "note", content: large }),
      aForm({ name: "note", content: large }, { name: "file", fileName: "logo", content: PIXEL }),
      aForm({ name: "image", fileName: "logo", content: large }),
    ];
    for (const { body, headers } of forms) {
      const measured = { ...headers, "content-length": String(body.length) };
      assertStatus(await owner.put(LOGO, body, measured), 413);
    }
    for (const { body, headers } of forms.slice(0, 2)) {
      assertStatus(await owner.put(LOGO, body, { ...headers, "transfer-encoding": "chunked" }), 413);
    }
  });

  it("refuses the 31st logo of an hour (429)", async ({ owner }) => {
    for (let times = 0; times < 30; times += 1) assertStatus(await set(owner, "GIF89a"), 422);
    assertStatus(await set(owner, PIXEL), 429);
  });
}
