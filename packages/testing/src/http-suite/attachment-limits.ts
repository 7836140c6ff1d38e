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

function sizeCases({ describe, it }: HttpCases): void {
  describe("the size of an attachment", () => {
    it("is 25 MiB at most", async ({ full }) => {
      const budget = await createBudget(full);
      // ASCII is read in no time where a check reads the answer as text.
      const bytes = Buffer.alloc(MAX, Buffer.from(someBytes(1_000_003)).toString("base64"));
      const sent = await upload(full, budget, bytes);
      assertStatus(sent, 201);
      const got = await full.get(`${BUDGETS}/${budget}/attachments/${sent.text("data.id")}`);
      assert.equal(Buffer.compare(got.bytes, bytes), 0);
    });

    for (const headers of [{}, CHUNKED]) {
      it(`is refused one byte above, ${headers === CHUNKED ? "in chunks" : "measured"}, and nothing stays`, async (world) => {
        const { full, blobs, clock } = world;
        const budget = await createBudget(full);
        const refused = await upload(full, budget, new Uint8Array(MAX + 1), {}, headers);
        assertStatus(refused, 413);
        assert.equal(refused.at("details.limitBytes"), MAX);
        assert.equal((await full.get(`${BUDGETS}/${budget}/attachments`)).at("pagination.total"), 0);
        assert.deepEqual((await blobs.findBlobsBefore(clock.now() + 1, null, 10)).ids, []);
      });
    }

    it("bounds what surrounds the file as well", async ({ full }) => {
      const path = `${BUDGETS}/${await createBudget(full)}/attachments`;
      for (const headers of [{}, CHUNKED]) {
        const around = aForm({ name: "note", content: new Uint8Array(MAX + 20_000) }, TINY);
        assertStatus(await full.post(path, around.body, { ...around.headers, ...headers }), 413);
      }
    });
  });

  describe("the number of attachments", () => {
    it("is 100 a budget at most", async ({ full, store, business }) => {
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
  });
}

function quotaCases({ describe, it }: HttpCases): void {
  /** Has the key upload so many bytes elsewhere. */
  async function spend({ store, business, full, clock }: World, bytes: number): Promise<void> {
    const subject = uploadSubject(business.businessId, full.id);
    await store.settleUpload(subject, `spent-${bytes}`, bytes, UPLOAD_WINDOW, clock.now());
  }

  describe("100 MiB of uploads an hour", () => {
    it("are counted to the byte, and free an hour after they came", async (world) => {
      const { full, clock } = world;
      const budget = await createBudget(full);
      await spend(world, UPLOAD_WINDOW.limit - 10);
      clock.advance(1_000);
      assertStatus(await upload(full, budget, "1234567890"), 201);
      const refused = await upload(full, budget, "1");
      assertStatus(refused, 429);
      assert.equal(refused.at("error"), "rate_limit_exceeded");
      const details = { limit: 104_857_600, remaining: 0, resetAt: "2026-03-02T13:00:00.000Z" };
      assert.deepEqual(refused.at("details"), details);
      assert.equal(refused.headers["retry-after"], "3599");
      clock.advance(HOUR_MS - 1_001);
      assertStatus(await upload(full, budget, "1"), 429);
      clock.advance(1);
      assertStatus(await upload(full, budget, "1"), 201);
    });

    it("are refused before a byte is read where the length says enough", async (world) => {
      const { full, blobs } = world;
      const budget = await createBudget(full);
      await spend(world, UPLOAD_WINDOW.limit - 100_000);
      const form = aFileForm(new Uint8Array(200_000));
      const measured = { ...form.headers, "content-length": String(form.body.length) };
      const refused = await full.post(`${BUDGETS}/${budget}/attachments`, form.body, measured);
      assertStatus(refused, 429);
      assert.equal(await blobs.openBlob("1"), null);
      assertStatus(await upload(full, budget, new Uint8Array(80_000), {}, CHUNKED), 201);
    });

    it("are refused on the way where it does not, and nothing of that upload counts", async (world) => {
      const { full, blobs, clock } = world;
      const budget = await createBudget(full);
      await spend(world, UPLOAD_WINDOW.limit - 100_000);
      assertStatus(await upload(full, budget, new Uint8Array(300_000), {}, CHUNKED), 429);
      assert.deepEqual((await blobs.findBlobsBefore(clock.now() + 1, null, 10)).ids, []);
      assertStatus(await upload(full, budget, new Uint8Array(90_000), {}, CHUNKED), 201);
    });

    it("do not count uploads that are refused for another reason", async (world) => {
      const { full } = world;
      const path = `${BUDGETS}/${await createBudget(full)}/attachments`;
      await spend(world, UPLOAD_WINDOW.limit - 300_000);
      const twice = aForm(
        { name: "file", fileName: "a", content: new Uint8Array(250_000) },
        { name: "file", fileName: "b", content: "x" },
      );
      for (const headers of [{}, CHUNKED]) {
        const form = { ...twice.headers, ...headers };
        for (let time = 0; time < 2; time += 1)
          assertInvalid(await full.post(path, twice.body, form), "file:MAX_LENGTH");
        assertStatus(await full.post(`${BUDGETS}/999/attachments`, twice.body, form), 404);
      }
      const whole = aFileForm(new Uint8Array(300_000));
      assertStatus(await full.post(path, whole.body, whole.headers), 201);
    });

    it("count what surrounds a file beyond the usual", async (world) => {
      const { full } = world;
      const path = `${BUDGETS}/${await createBudget(full)}/attachments`;
      await spend(world, UPLOAD_WINDOW.limit - 300_000);
      const padded = aForm({ name: "note", content: new Uint8Array(250_000) }, TINY);
      assertStatus(await full.post(path, padded.body, padded.headers), 201);
      assertStatus(await full.post(path, padded.body, padded.headers), 429);
    });

    it("are a key's own", async (world) => {
      const { full, withKey } = world;
      const budget = await createBudget(full);
      await spend(world, UPLOAD_WINDOW.limit);
      assertStatus(await upload(full, budget, ""), 429);
      assertStatus(await upload(await withKey(), budget), 201);
    });

    it("are never exceeded by uploads at the same time", async (world) => {
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
  });
}
