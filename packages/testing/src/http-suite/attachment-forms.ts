import assert from "node:assert/strict";
import { upload } from "./attachments.js";
import type { HttpCases } from "./cases.js";
import { aFileForm, aForm, type Form, someBytes } from "./forms.js";
import { assertInvalid, assertStatus, BUDGETS, createBudget } from "./samples.js";

const FILE = { name: "file", fileName: "a.txt", content: "abc" };
const TYPE = { "content-type": "multipart/form-data; boundary=b" };

const REFUSED: readonly (readonly [what: string, form: Form, error: string])[] = [
  ["without any part", aForm(), "file:REQUIRED"],
  ["with other fields alone", aForm({ name: "note", content: "x" }), "file:REQUIRED"],
  ["whose file is a text", aForm({ name: "file", content: "x" }), "file:INVALID_TYPE"],
  ["whose file is in another part", aForm({ ...FILE, name: "upload" }), "upload:INVALID_VALUE"],
  ["with two files", aForm(FILE, { ...FILE, fileName: "b.txt" }), "file:MAX_LENGTH"],
  ["with a second file elsewhere", aForm(FILE, { ...FILE, name: "upload" }), "file:MAX_LENGTH"],
  [
    "with very many fields",
    aForm(...Array.from({ length: 12 }, () => ({ name: "n", content: "x" })), FILE),
    ":INVALID_FORMAT",
  ],
  ["that is no form", { body: Buffer.from("nonsense"), headers: TYPE }, ":INVALID_FORMAT"],
  ["of another boundary", { body: aForm(FILE).body, headers: TYPE }, ":INVALID_FORMAT"],
  ["that breaks off in its head", { ...aForm(FILE), body: aForm(FILE).body.subarray(0, 70) }, ":INVALID_FORMAT"],
  ["that breaks off in its file", { ...aForm(FILE), body: cutOff(aForm(FILE).body, 40) }, ":INVALID_FORMAT"],
  ["that breaks off at its end", { ...aForm(FILE), body: cutOff(aForm(FILE).body, 5) }, ":INVALID_FORMAT"],
];

function cutOff(body: Uint8Array, bytes: number): Uint8Array {
  return body.subarray(0, body.length - bytes);
}

export function attachmentFormCases({ it }: HttpCases): void {
  for (const [what, form, error] of REFUSED) {
    it(`refuses an upload form ${what}, and keeps nothing of it`, async ({ full, blobs, clock, errors }) => {
      const path = `${BUDGETS}/${await createBudget(full)}/attachments`;
      assertInvalid(await full.post(path, form.body, form.headers), error);
      assert.equal((await full.get(path)).at("pagination.total"), 0);
      assert.deepEqual((await blobs.findBlobsBefore(clock.now() + 1, null, 10)).ids, []);
      assert.deepEqual(errors, []);
    });
  }

  it("drops other fields before and after the file of an upload form", async ({ full }) => {
    const bytes = someBytes(100_000);
    const note = { name: "note", content: "x".repeat(2_000) };
    const form = aForm(note, { ...FILE, content: bytes }, note, { name: "__proto__", content: "1" });
    const sent = await full.post(`${BUDGETS}/${await createBudget(full)}/attachments`, form.body, form.headers);
    assertStatus(sent, 201);
    assert.equal(sent.at("data.size"), bytes.length);
  });

  it("accepts a file with bytes that look like the boundary of its form", async ({ full }) => {
    const budget = await createBudget(full);
    const content = "\r\n------a-boundary-that-no-file-ha\r\n--\r\n\r\n------a-boundary";
    const sent = assertStatus(await upload(full, budget, content), 201);
    assert.equal((await full.get(`${BUDGETS}/${budget}/attachments/${sent.text("data.id")}`)).body, content);
  });

  for (const type of ["application/json", "multipart/form-data", "multipart/mixed; boundary=b", "text/plain", ""]) {
    it(`refuses an upload of type "${type}" (415)`, async ({ full }) => {
      const path = `${BUDGETS}/${await createBudget(full)}/attachments`;
      assertStatus(await full.post(path, aFileForm("abc").body, { "content-type": type }), 415);
    });
  }

  it("refuses a compressed upload (415), and one without a form", async ({ full }) => {
    const budget = await createBudget(full);
    assertStatus(await upload(full, budget, "abc", {}, { "content-encoding": "gzip" }), 415);
    const path = `${BUDGETS}/${budget}/attachments`;
    assertInvalid(await full.post(path, "", TYPE), ":REQUIRED");
    assertInvalid(await full.post(path, undefined, TYPE), ":REQUIRED");
    assertStatus(await full.post(path), 415);
  });
}
