import assert from "node:assert/strict";
import type { HttpCases } from "./cases.js";
import { aFileForm } from "./forms.js";
import { aBudgetBody, assertRule, assertStatus, assertWrong, BUDGETS } from "./samples.js";

const BUSINESS = "/api/developer/business";
const PREVIEW = `${BUSINESS}/preview`;
const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0L9 9"/></svg>';

export function businessPreviewCases({ it }: HttpCases): void {
  it("a preview of the business shows the changed profile on page, mail and PDF, and stores nothing", async (world) => {
    const { owner } = world;
    const before = (await owner.get(BUSINESS)).body;
    const change = {
      name: "Roble & Cía",
      legalName: "Roble y Cía S.R.L.",
      accentColor: "#0b6e4f",
      locale: "es-AR",
      currency: "ARS",
      terms: "Mitad por adelantado.",
      footer: "Gracias por elegirnos",
      numberPattern: "P-{year}-{seq:4}",
      taxes: [{ id: "iva", name: "IVA", rate: 0.21, default: true }],
    };
    for (const as of ["page", "mail", "pdf"]) {
      const { body } = assertStatus(await owner.post(`${PREVIEW}?as=${as}`, change), 200);
      const seen = as === "mail" ? ["S.R.L."] : ["Mitad por adelantado.", "Gracias por elegirnos", "IVA", "S.R.L."];
      for (const text of [...seen, "Presupuesto P-2026-0000", "1.546,38"]) {
        assert.ok(
          body
            .replaceAll("presupuesto", "Presupuesto")
            .replaceAll(/[\u2066-\u2069]/g, "")
            .includes(text),
          `${text} in ${as}: ${body}`,
        );
      }
    }
    assert.equal((await owner.get(BUSINESS)).body, before);
    assert.ok(assertStatus(await owner.post(PREVIEW, {}), 200).body.includes("Carpintería Norte"));
  });

  it("a preview has the stored logo within it", async ({ owner, full }) => {
    const { body, headers } = aFileForm(LOGO, { fileName: "logo" });
    assertStatus(await owner.put(`${BUSINESS}/logo`, body, headers), 200);
    for (const shown of [
      await owner.post(PREVIEW, {}),
      await full.post(`${BUDGETS}/preview/document`, aBudgetBody()),
    ]) {
      const address = /<img class="logo" src="data:image\/svg\+xml;base64,([^"]+)"/.exec(assertStatus(shown, 200).body);
      assert.ok(
        Buffer.from(address?.[1] ?? "", "base64")
          .toString()
          .startsWith("<svg"),
      );
    }
  });

  it("a preview of the business is for administrators, and refuses what an update refuses", async (world) => {
    const { owner, member, full, anonymous } = world;
    assertStatus(await member.post(PREVIEW, {}), 403);
    assertStatus(await full.post(PREVIEW, {}), 401);
    assertStatus(await anonymous.post(PREVIEW, {}), 401);
    assertWrong(await owner.post(PREVIEW, { accentColor: "red" }), "accentColor");
    assertRule(await owner.post(PREVIEW, { numberPattern: "Q" }), "INVALID_NUMBER_PATTERN", "numberPattern");
  });
}
