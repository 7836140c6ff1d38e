import assert from "node:assert/strict";
import { HOUR_MS, insertAttachmentCommit, UPLOAD_WINDOW, uploadSubject } from "@budgetkit/core/store";
import { anAttachment } from "../attachment-fixtures.js";
import { upload } from "./attachments.js";
import type { HttpCases } from "./cases.js";
import { aFileForm, aForm, someBytes } from "./forms.js";
import { assertInvalid, assertRule, assertStatus, BUDGETS, createBudget } from "./samples.js";
import type { World } from "./world.js";

const MAX = 25 * 1024 * 1024;
const TINY = { name: "file", fileName: "a", content: "x" };
const CHUNKED = { "transfer-encoding": "chunked" };

export function attachmentLimitCases(cases: HttpCases): void {
  sizeCases(cases);
  quotaCases(cases);
}

function sizeCases({ it }: HttpCases): void {
  it("accepts an attachment of 25 MiB", async ({ full }) => {
    const budget = await createBudget(full);
    // ASCII is read in no time where a check reads the answer as text.
    const bytes = Buffer.alloc(MAX, Buffer.from(someBytes(1_000_003)).toString("base64"));
    const sent = assertStatus(await upload(full, budget, bytes), 201);
    const got = await full.get(`${BUDGETS}/${budget}/attachments/${sent.text("data.id")}`);
    assert.equal(Buffer.compare(got.bytes, bytes), 0);
  });

  for (const headers of [{}, CHUNKED]) {
    it(`refuses an attachment one byte above 25 MiB, ${headers === CHUNKED ? "in chunks" : "measured"}, and keeps nothing (413)`, async (world) => {
      const { full, blobs, clock } = world;
      const budget = await createBudget(full);
      const refused = assertStatus(await upload(full, budget, new Uint8Array(MAX + 1), {}, headers), 413);
      assert.equal(refused.at("details.limitBytes"), MAX);
      assert.equal((await full.get(`${BUDGETS}/${budget}/attachments`)).at("pagination.total"), 0);
      assert.deepEqual((await blobs.findBlobsBefore(clock.now() + 1, null, 10)).ids, []);
    });
  }

  it("bounds what surrounds the file of an upload too (413)", async ({ full }) => {
    const path = `${BUDGETS}/${await createBudget(full)}/attachments`;
    for (const headers of [{}, CHUNKED]) {
      const around = aForm({ name: "note", content: new Uint8Array(MAX + 20_000) }, TINY);
      assertStatus(await full.post(path, around.body, { ...around.headers, ...headers }), 413);
    }
  });

  it("refuses the 101st attachment of a budget (TOO_MANY_ATTACHMENTS)", async ({ full, store, business }) => {
    const { businessId } = business;
    const budgetId = await createBudget(full);
    for (let count = 0; count < 99; count += 1) {
      const attachment = anAttachment({ businessId, budgetId, id: String(9_000 + count) });
      await store.commit(insertAttachmentCommit(attachment, 1, 100));
    }
    assertStatus(await upload(full, budgetId), 201);
    assertRule(await upload(full, budgetId), "TOO_MANY_ATTACHMENTS");
    assertStatus(await full.delete(`${BUDGETS}/${budgetId}/attachments/9000`), 200);
    const answers = await Promise.all([1, 2, 3, 4].map(() => upload(full, budgetId)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422, 422, 422]);
  });
}

function quotaCases({ it }: HttpCases): void {
  /** Has the key upload so many bytes elsewhere. */
  async function spend({ store, business, full, clock }: World, bytes: number): Promise<void> {
    const subject = uploadSubject(business.businessId, full.id);
    await store.settleUpload(subject, `spent-${bytes}`, bytes, UPLOAD_WINDOW, clock.now());
  }

  it("refuses uploads beyond 100 MiB an hour, counted to the byte, until an hour has passed (429)", async (world) => {
    const { full, clock } = world;
    const budget = await createBudget(full);
    await spend(world, UPLOAD_WINDOW.limit - 10);
    clock.advance(1_000);
    assertStatus(await upload(full, budget, "1234567890"), 201);
    const refused = assertStatus(await upload(full, budget, "1"), 429);
    assert.equal(refused.at("error"), "rate_limit_exceeded");
    const details = { limit: 104_857_600, remaining: 0, resetAt: "2026-03-02T13:00:00.000Z" };
    assert.deepEqual(refused.at("details"), details);
    assert.equal(refused.headers["retry-after"], "3599");
    clock.advance(HOUR_MS - 1_001);
    assertStatus(await upload(full, budget, "1"), 429);
    clock.advance(1);
    assertStatus(await upload(full, budget, "1"), 201);
  });

  it("refuses an upload beyond the quota before it reads a byte if the Content-Length suffices (429)", async (world) => {
    const { full, blobs } = world;
    const budget = await createBudget(full);
    await spend(world, UPLOAD_WINDOW.limit - 100_000);
    const form = aFileForm(new Uint8Array(200_000));
    const measured = { ...form.headers, "content-length": String(form.body.length) };
    assertStatus(await full.post(`${BUDGETS}/${budget}/attachments`, form.body, measured), 429);
    assert.equal(await blobs.openBlob("1"), null);
    assertStatus(await upload(full, budget, new Uint8Array(80_000), {}, CHUNKED), 201);
  });

  it("refuses a chunked upload beyond the quota on the way, and charges nothing for it (429)", async (world) => {
    const { full, blobs, clock } = world;
    const budget = await createBudget(full);
    await spend(world, UPLOAD_WINDOW.limit - 100_000);
    assertStatus(await upload(full, budget, new Uint8Array(300_000), {}, CHUNKED), 429);
    assert.deepEqual((await blobs.findBlobsBefore(clock.now() + 1, null, 10)).ids, []);
    assertStatus(await upload(full, budget, new Uint8Array(90_000), {}, CHUNKED), 201);
  });

  it("charges no upload quota for uploads that are refused for another reason", async (world) => {
    const { full } = world;
    const path = `${BUDGETS}/${await createBudget(full)}/attachments`;
    await spend(world, UPLOAD_WINDOW.limit - 300_000);
    const twice = aForm(
      { name: "file", fileName: "a", content: new Uint8Array(250_000) },
      { name: "file", fileName: "b", content: "x" },
    );
    for (const headers of [{}, CHUNKED]) {
      const form = { ...twice.headers, ...headers };
      for (let time = 0; time < 2; time += 1) assertInvalid(await full.post(path, twice.body, form), "file:MAX_LENGTH");
      assertStatus(await full.post(`${BUDGETS}/999/attachments`, twice.body, form), 404);
    }
    const whole = aFileForm(new Uint8Array(300_000));
    assertStatus(await full.post(path, whole.body, whole.headers), 201);
  });

  it("charges upload quota for form content beyond the usual", async (world) => {
    const { full } = world;
    const path = `${BUDGETS}/${await createBudget(full)}/attachments`;
    await spend(world, UPLOAD_WINDOW.limit - 300_000);
    const padded = aForm({ name: "note", content: new Uint8Array(250_000) }, TINY);
    assertStatus(await full.post(path, padded.body, padded.headers), 201);
    assertStatus(await full.post(path, padded.body, padded.headers), 429);
  });

  it("counts the upload quota for each key", async (world) => {
    const { full, withKey } = world;
    const budget = await createBudget(full);
    await spend(world, UPLOAD_WINDOW.limit);
    assertStatus(await upload(full, budget, ""), 429);
    assertStatus(await upload(await withKey(), budget), 201);
  });

  it("never exceeds the upload quota by concurrent uploads", async (world) => {
    const { full } = world;
    const budget = await createBudget(full);
    await spend(world, UPLOAD_WINDOW.limit - 1_000_000);
    const answers = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((each) =>
        upload(full, budget, new Uint8Array(300_000), {}, each % 2 === 0 ? CHUNKED : {}),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    assert.ok(
      statuses.every((status) => status === 201 || status === 429),
      String(statuses),
    );
    assert.ok(statuses.filter((status) => status === 201).length <= 3, String(statuses));
    assert.ok(statuses.includes(201), String(statuses));
  });
}
