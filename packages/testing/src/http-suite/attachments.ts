import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { HttpCases } from "./cases.js";
import type { Client, Reply } from "./client.js";
import { aFileForm, someBytes } from "./forms.js";
import { approve, assertStatus, BUDGETS, createBudget } from "./samples.js";

const KIB = 1024;

export async function upload(
  client: Client,
  budgetId: string,
  content: string | Uint8Array = "abc",
  part: Parameters<typeof aFileForm>[1] = {},
  extra: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const { body, headers } = aFileForm(content, part);
  return client.post(`${BUDGETS}/${budgetId}/attachments`, body, { ...headers, ...extra });
}

export function attachmentCases(cases: HttpCases): void {
  lifeCases(cases);
  downloadCases(cases);
  accessCases(cases);
  eventCases(cases);
}

function lifeCases({ it }: HttpCases): void {
  it("uploads attachments, lists them newest first, and removes them", async ({ full, clock }) => {
    const budget = await createBudget(full);
    const path = `${BUDGETS}/${budget}/attachments`;
    const first = assertStatus(await upload(full, budget), 201);
    assert.deepEqual(first.at("data"), {
      id: first.text("data.id"),
      fileName: "offer.pdf",
      contentType: "application/pdf",
      size: 3,
      sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      createdAt: "2026-03-02T12:00:00.000Z",
      createdBy: `key:${full.id}`,
    });
    assert.ok(first.headers.location?.endsWith(`${path.slice(1)}/${first.text("data.id")}`));
    clock.advance(1_000);
    const second = await upload(full, budget, "", { fileName: "empty.txt", contentType: "text/plain" });
    assertStatus(second, 201);
    (await full.get(path)).assertAt({ data: [second.at("data"), first.at("data")], "pagination.total": 2 });
    assert.deepEqual((await full.get(`${path}?limit=1&page=2`)).at("data"), [first.at("data")]);
    const removed = assertStatus(await full.delete(`${path}/${first.text("data.id")}`), 200);
    assert.deepEqual(removed.at("data"), { id: first.text("data.id"), deletedAt: "2026-03-02T12:00:01.000Z" });
    assert.equal((await full.get(path)).at("pagination.total"), 1);
    for (const method of ["GET", "DELETE"]) {
      assertStatus(await full.send(method, `${path}/${first.text("data.id")}`), 404);
    }
  });

  it("removing an attachment removes its bytes", async ({ full, blobs, clock }) => {
    const budget = await createBudget(full);
    const { id } = { id: (await upload(full, budget)).text("data.id") };
    assert.deepEqual((await blobs.findBlobsBefore(clock.now() + 1, null, 10)).ids, [id]);
    await full.delete(`${BUDGETS}/${budget}/attachments/${id}`);
    assert.equal(await blobs.openBlob(id), null);
  });

  it("accepts attachments in every status except DELETED, and restores them with the budget", async ({ full }) => {
    const budget = await createBudget(full);
    await approve(full, budget);
    const path = `${BUDGETS}/${budget}/attachments`;
    const id = (await upload(full, budget)).text("data.id");
    await full.delete(`${BUDGETS}/${budget}`);
    assertStatus(await upload(full, budget), 404);
    for (const asked of [path, `${path}/${id}`]) assertStatus(await full.get(asked), 404);
    assertStatus(await full.delete(`${path}/${id}`), 404);
    await full.post(`${BUDGETS}/${budget}/restore`);
    assert.equal((await full.get(`${path}/${id}`)).body, "abc");
  });
}

function downloadCases({ it }: HttpCases): void {
  for (const size of [0, 1, 64 * KIB - 1, 64 * KIB, 64 * KIB + 1, 3 * KIB * KIB + 7]) {
    it(`downloads ${size} bytes exactly as uploaded`, async ({ full }) => {
      const bytes = someBytes(size);
      const budget = await createBudget(full);
      const sent = assertStatus(await upload(full, budget, bytes), 201);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      assert.deepEqual([sent.at("data.size"), sent.at("data.sha256")], [size, sha256]);
      const got = assertStatus(await full.get(`${BUDGETS}/${budget}/attachments/${sent.text("data.id")}`), 200);
      assert.equal(Buffer.compare(got.bytes, bytes), 0);
      assert.equal(got.headers["content-length"], String(size));
      assert.equal(got.headers.etag, `"${sha256}"`);
    });
  }

  it("accepts an upload without a Content-Length", async ({ full }) => {
    const bytes = someBytes(200 * KIB);
    const budget = await createBudget(full);
    const sent = await upload(full, budget, bytes, {}, { "transfer-encoding": "chunked" });
    const got = await full.get(`${BUDGETS}/${budget}/attachments/${sent.text("data.id")}`);
    assert.equal(Buffer.compare(got.bytes, bytes), 0);
  });

  it("serves a download under its file name, and nothing of it runs in a browser", async ({ full }) => {
    const budget = await createBudget(full);
    const part = { fileName: "../Ñandú (1)'s\u202e.html", contentType: "text/html" };
    const sent = await upload(full, budget, "<script>alert(1)</script>", part);
    assert.equal(sent.at("data.fileName"), "Ñandú (1)'s.html");
    const { headers } = await full.get(`${BUDGETS}/${budget}/attachments/${sent.text("data.id")}`);
    assert.equal(headers["content-type"], "text/html");
    assert.equal(
      headers["content-disposition"],
      `attachment; filename="_and_ (1)'s.html"; filename*=UTF-8''%C3%91and%C3%BA%20%281%29%27s.html`,
    );
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.equal(headers["content-security-policy"], "sandbox; default-src 'none'");
    assert.equal(headers["cache-control"], "private, no-store");
  });

  for (const [given, kept] of [
    ["image/svg+xml", "image/svg+xml"],
    ["nonsense", "application/octet-stream"],
    ["text/pl@in", "application/octet-stream"],
    ["", "text/plain"], // what a part without a type is. Source: RFC 7578, 4.4
  ] as const) {
    it(`serves a download as ${kept} when it was uploaded as "${given}"`, async ({ full }) => {
      const budget = await createBudget(full);
      const sent = await upload(full, budget, "abc", { contentType: given });
      assert.equal(sent.at("data.contentType"), kept);
      const got = await full.get(`${BUDGETS}/${budget}/attachments/${sent.text("data.id")}`);
      assert.equal(got.headers["content-type"], kept);
    });
  }

  it("answers a download with 304 for a current ETag, and HEAD with its headers", async ({ full }) => {
    const budget = await createBudget(full);
    const path = `${BUDGETS}/${budget}/attachments/${(await upload(full, budget)).text("data.id")}`;
    const { headers } = await full.get(path);
    const again = assertStatus(await full.get(path, { "if-none-match": headers.etag ?? "" }), 304);
    assert.equal(again.headers.etag, headers.etag);
    const head = assertStatus(await full.send("HEAD", path), 200);
    for (const name of ["content-type", "content-length", "content-disposition", "etag"]) {
      assert.equal(head.headers[name], headers[name], name);
    }
  });

  it("fails a download whose bytes are gone, and reports it", async ({ full, blobs, errors }) => {
    const budget = await createBudget(full);
    const id = (await upload(full, budget)).text("data.id");
    await blobs.removeBlob(id);
    assertStatus(await full.get(`${BUDGETS}/${budget}/attachments/${id}`), 500);
    assert.match(String(errors[0]), /the blob of attachment \d+ is missing/);
  });
}

function accessCases({ it }: HttpCases): void {
  it("finds no attachment of another business or budget (404)", async ({ full, stranger }) => {
    const [budget, sibling] = [await createBudget(full), await createBudget(full)];
    const foreign = await createBudget(stranger);
    const id = (await upload(full, budget)).text("data.id");
    for (const [client, owner] of [
      [full, sibling],
      [stranger, budget],
      [stranger, foreign],
    ] as const) {
      for (const method of ["GET", "DELETE"]) {
        const path = `${BUDGETS}/${owner}/attachments`;
        const asked = await client.send(method, `${path}/${id}`);
        const unknown = await client.send(method, `${path}/999999`);
        assertStatus(asked, 404);
        assert.equal(asked.body.replaceAll(id, "ID"), unknown.body.replaceAll("999999", "ID"));
      }
    }
    assert.equal((await stranger.get(`${BUDGETS}/${foreign}/attachments`)).at("pagination.total"), 0);
    assertStatus(await full.get(`${BUDGETS}/${budget}/attachments/${id}`), 200);
  });

  it("finds no attachment by a malformed id (404)", async ({ full }) => {
    const budget = await createBudget(full);
    const id = (await upload(full, budget)).text("data.id");
    for (const odd of ["abc", `0${id}`, `${id}.0`, "..%2e", "%00", "-1"]) {
      for (const method of ["GET", "DELETE"]) {
        assertStatus(await full.send(method, `${BUDGETS}/${budget}/attachments/${odd}`), 404);
      }
    }
  });
}

function eventCases({ it }: HttpCases): void {
  it("attaching and removing are events of the budget, which keeps its version and ETag", async ({ full, owner }) => {
    const budget = await createBudget(full);
    const before = await full.get(`${BUDGETS}/${budget}`);
    const id = (await upload(full, budget)).text("data.id");
    await full.delete(`${BUDGETS}/${budget}/attachments/${id}`);
    const after = await full.get(`${BUDGETS}/${budget}`);
    assert.deepEqual([after.body, after.headers.etag], [before.body, before.headers.etag]);
    const events = await owner.get(`/api/developer/events?subjectId=${budget}`);
    for (const index of [0, 1]) {
      assert.equal(events.at(`data.${index}.event`), "budget.updated");
      assert.equal(events.at(`data.${index}.actor`), `key:${full.id}`);
      const change = { fields: ["attachments"], from: "PENDING", to: "PENDING", reason: null };
      assert.deepEqual(events.at(`data.${index}.change`), change);
    }
    assert.equal(events.at("pagination.total"), 3);
  });

  it("adding an attachment finds an overdue budget EXPIRED", async ({ full, clock }) => {
    const budget = await createBudget(full, { validUntil: "2026-03-02T12:30:00Z" });
    clock.advance(3_600_000);
    assertStatus(await upload(full, budget), 201);
    assert.equal((await full.get(`${BUDGETS}/${budget}`)).at("data.status"), "EXPIRED");
  });
}
