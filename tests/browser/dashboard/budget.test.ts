import type { CreateBudget } from "@budgetkit/core";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { violations } from "../customer-page.js";
import { type DashboardOptions, isLeftToNights, isTooWide, openDashboard } from "./harness.js";

const HOSTILE = `<img src=x onerror="document.title='run'"> \u202eolleH`;
const TABS = ["", "lines", "versions", "payments", "messages", "files", "mails", "evidence"];

const CONTENT: CreateBudget = {
  customerId: "puente",
  currency: "ARS",
  taxRate: 0.21,
  deposit: { rate: 0.3 },
  validUntil: "2099-12-31",
  items: [
    { description: "Pharmacy counter", quantity: 1, unitPrice: 1_000_000, unitCost: 600_000 },
    { description: "Glass", quantity: 3, unitPrice: 84_000 },
  ],
};

type Own = Partial<Pick<CreateBudget, "draft" | "notes" | "items" | "deposit">>;

/** A dashboard that shows one budget of Farmacia del Puente. */
async function openBudget(own: Own = {}, options: DashboardOptions = {}) {
  let id = "";
  const dashboard = await openDashboard({
    ...options,
    service: { publicBaseUrl: "https://quotes.roble.example/v1", ...options.service },
    fill: async (service, businessId) => {
      const actor = { kind: "system", businessId } as const;
      const customer = { id: "puente", name: "Farmacia del Puente", email: "graciela@delpuente.example" };
      (await service.customers.create(actor, customer))._unsafeUnwrap();
      id = (await service.budgets.create(actor, { ...CONTENT, ...own }))._unsafeUnwrap().id;
    },
  });
  const show = async (tab = "") => {
    await dashboard.open(`/budgets/${id}${tab === "" ? "" : `?tab=${tab}`}`);
    await dashboard.page.getByRole("heading", { name: "Farmacia del Puente" }).waitFor();
  };
  await show();
  return { ...dashboard, id, show };
}

async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name }).click();
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const inDialog = (page: Page, name: string) =>
  page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
const isIn = (page: Page, state: string) => page.locator("h1 + span", { hasText: state }).waitFor();

describe.skipIf(isLeftToNights)("the detail of a budget", () => {
  it("a draft is sent by mail with its preview, and the deposit is recorded by keyboard", async () => {
    const { page, service, actor, id, complaints } = await openBudget({ draft: true });
    await press(page, "Send…");
    await page.getByLabel(/^Message/).fill("As we discussed.");
    await page.frameLocator("dialog iframe").getByText("As we discussed.").waitFor();
    await inDialog(page, "Send");
    await isIn(page, "Waiting");
    await page.getByText("offered it to the customer").waitFor();
    await page.keyboard.press("p");
    await page.getByRole("button", { name: /^The deposit/ }).click();
    await page.getByLabel("Reference").fill("77120");
    await page.keyboard.press("Enter");
    await page.getByText("Transfer 77120, recorded by Lucía Ferreyra").waitFor();
    const { paid } = (await service.budgets.get(actor, id))._unsafeUnwrap();
    expect(paid).toBe(454_476);
    expect(complaints).toEqual([]);
  });

  it("every move of the transition table has its action, and the last state has the right ones", async () => {
    const { page, complaints } = await openBudget({ draft: true, deposit: null }); // an approval waits for a deposit
    const steps: readonly [action: string, verb: string | null, state: string, before?: () => Promise<void>][] = [
      ["Submit without mail", null, "Waiting"],
      ["Decline for the customer…", "Decline", "Declined"],
      ["Offer again…", "Offer again", "Waiting"],
      ["Let expire now…", "Let expire", "Expired"],
      ["Renew…", "Renew", "Waiting"],
      ["Withdraw…", "Withdraw", "Draft"],
      ["Submit without mail", null, "Waiting"],
      ["Accept for the customer…", "Accept", "Accepted"],
      ["Reopen…", "Reopen", "Waiting", () => page.getByLabel("Reason").fill("Another colour")],
      ["Accept for the customer…", "Accept", "Accepted"],
      ["Complete…", "Complete", "Completed"],
      ["Archive…", "Archive", "Archived"],
    ];
    for (const [action, verb, state, before] of steps) {
      const button = page.getByRole("button", { name: action, exact: true });
      if ((await button.count()) > 0) await button.click();
      else await choose(page, action);
      await before?.();
      if (verb !== null) await inDialog(page, verb);
      await isIn(page, state);
    }
    await page.getByText("Reason: Another colour").waitFor();
    await choose(page, "Delete");
    await page.getByText("This budget is deleted").waitFor();
    await press(page, "Restore");
    await isIn(page, "Archived");
    expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
  });

  it("a change that another person overtook is not made, and says who changed what", async () => {
    const { page, service, actor, id } = await openBudget();
    (await service.budgets.update(actor, id, { status: "REJECTED" }))._unsafeUnwrap();
    await choose(page, "Accept for the customer…");
    await inDialog(page, "Accept");
    await page.getByText("Its state went from “Waiting” to “Declined”.").waitFor();
    await inDialog(page, "Show it as it is now");
    await isIn(page, "Declined");
  });

  it("refusals stand at their fields, and a payment of more than is open is not sent", async () => {
    const { page } = await openBudget();
    await page.keyboard.press("p");
    await page.getByLabel("Amount in ARS").fill("9999999");
    await inDialog(page, "Record");
    await page.getByText("At most ARS 1,514,920.00 is open.").waitFor();
    expect(await page.getByLabel("Reference").getAttribute("aria-invalid")).toBe("true");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  it("each tab shows hostile texts as texts, without a violation, in the light and on a dark phone", async () => {
    const own = { notes: HOSTILE.repeat(40), items: [{ description: HOSTILE, quantity: 1, unitPrice: 10 }] };
    const size = { width: 390, height: 844 };
    for (const options of [{}, { dark: true, size }]) {
      const { page, service, actor, id, show, complaints } = await openBudget(own, options);
      (await service.budgets.sendMessage(actor, id, { message: HOSTILE }))._unsafeUnwrap();
      (await service.budgets.update(actor, id, { notes: `${HOSTILE} again` }))._unsafeUnwrap();
      for (const tab of TABS) {
        await show(tab);
        await page.waitForLoadState("networkidle");
        expect([tab, await violations(page)]).toEqual([tab, []]);
        expect([tab, await isTooWide(page)]).toEqual([tab, false]);
      }
      expect(await page.title()).not.toBe("run");
      expect(complaints).toEqual([]);
    }
  });

  it("a message is sent by Control and Enter and stands in the history", async () => {
    const { page } = await openBudget();
    await page.getByLabel("Message to the customer").fill("The glass has come.");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("listitem").filter({ hasText: "The glass has come." }).waitFor();
    expect(await page.getByLabel("Message to the customer").inputValue()).toBe("");
  });

  it("a file is uploaded, shared with the customer and removed", async () => {
    const { page, service, actor, id, show } = await openBudget();
    await show("files");
    const file = { name: "plan.txt", mimeType: "text/plain", buffer: Buffer.from("walls") };
    await page.locator("input[type=file]").setInputFiles(file);
    await page.getByRole("switch", { name: "The customer sees plan.txt" }).click();
    await page.getByText("The customer can download plan.txt now").waitFor();
    const [kept] = (await service.attachments.list(actor, id))._unsafeUnwrap().data;
    expect(kept).toMatchObject({ fileName: "plan.txt", size: 5, shared: true });
    await press(page, "Remove plan.txt");
    await inDialog(page, "Remove");
    await page.getByText("No file yet").waitFor();
  });

  it("evidence of an acceptance is verified in the browser", async () => {
    const { page, service, actor, id, show } = await openBudget();
    (await service.budgets.update(actor, id, { status: "APPROVED" }))._unsafeUnwrap();
    await show("evidence");
    await page.getByText("nothing was changed").waitFor();
    expect(await page.getByText("verified").count()).toBeGreaterThan(0);
  });

  it("an unknown budget, and one that a member may only read, say so", async () => {
    const { page, open, show } = await openBudget({}, { role: "MEMBER", service: { memberScopes: ["READ_BUDGETS"] } });
    expect(await page.getByRole("button", { name: /Send…|More actions|Record payment/ }).count()).toBe(0);
    expect(await page.getByLabel("Message to the customer").count()).toBe(0);
    await show("files");
    expect(await page.getByRole("button", { name: "Add a file" }).count()).toBe(0);
    await open("/budgets/999");
    await page.getByText("This budget does not exist").waitFor();
  });
});
