import type { BudgetService } from "@budgetkit/core";
import { describe, expect, it } from "vitest";
import { violations } from "../customer-page.js";
import { isLeftToNights, isTooWide, openDashboard } from "./harness.js";
import { recordingReceiver } from "./receiver.js";

const HOOKS = "https://crm.example/hooks";

/** Makes the deliveries, and makes all their attempts. */
async function sendAll({ webhooks }: BudgetService): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await webhooks.tick();
}

describe.skipIf(isLeftToNights)("the webhooks of the dashboard", () => {
  it("a person who never made a webhook makes one, tries it, and turns it on once it works", async () => {
    const { receiver, sender } = recordingReceiver();
    const { page, service, actor, open, complaints } = await openDashboard({ service: { webhooks: { sender } } });
    (await service.customers.create(actor, { name: "Ana" }))._unsafeUnwrap();
    await open("/webhooks");
    await page.getByRole("button", { name: "Add a webhook" }).click();
    await page.getByRole("textbox", { name: "Address", exact: true }).fill(HOOKS);
    await page.getByLabel("Name", { exact: true }).fill("CRM sync");
    await page.getByText("1 of the last 1 events would have been sent").waitFor();
    await page.getByRole("button", { name: "Only these" }).click();
    await page.getByText("0 of the last 1 events would have been sent").waitFor();
    await page.getByText("customer.created is not among the events.").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Add, and try it" }).click();
    receiver.code = 503;
    await page.getByRole("button", { name: "Send a test" }).click();
    await page.getByText("It was not taken.").waitFor();
    receiver.code = 200;
    await page.getByRole("button", { name: "Test again" }).click();
    await page.getByText("It works.").waitFor();
    expect(await violations(page)).toEqual([]);
    const secret = String(await page.locator("[data-secret]").textContent());
    await page.getByRole("button", { name: "Turn it on" }).click();
    await page.getByRole("heading", { name: "CRM sync", level: 1 }).waitFor();
    await page.getByText("Active", { exact: true }).waitFor();
    expect(await page.content()).not.toContain(secret);
    expect(receiver.calls.map(({ url }) => url)).toEqual([HOOKS, HOOKS]);
    expect(complaints).toEqual([]);
  });

  it("a delivery that failed shows its attempts and its signature, and is sent again", async () => {
    const { receiver, sender } = recordingReceiver();
    const { page, service, actor, open, complaints } = await openDashboard({ service: { webhooks: { sender } } });
    const policy = { retryPolicy: { delaysSeconds: [0] } };
    const webhook = (await service.webhooks.create(actor, { url: HOOKS, ...policy }))._unsafeUnwrap();
    receiver.code = 503;
    const name = "Ana <img src=x onerror=alert(1)>";
    (await service.customers.create(actor, { name }))._unsafeUnwrap();
    await sendAll(service);
    await open(`/webhooks/${webhook.id}`);
    await page.getByRole("button", { name: /^Failed/ }).click();
    await page.getByRole("link", { name: "customer.created" }).click();
    await page.getByText("answered 503, 31 ms").waitFor();
    expect(new URL(page.url()).searchParams.get("view")).toBe("failed");
    await page.getByText("<img src=x onerror=alert(1)> is locked").waitFor();
    expect(await page.locator("img").count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Signature" }).click();
    await page.getByRole("button", { name: "Compute it with the secret" }).click();
    await page.getByText(String(receiver.calls[0]?.headers["webhook-signature"])).waitFor();
    receiver.code = 200;
    await page.getByRole("button", { name: "Redeliver now" }).click();
    await page.getByText("The delivery is sent again").waitFor();
    await sendAll(service);
    await page.reload();
    await page.getByRole("button", { name: "Attempt 2" }).waitFor();
    expect(receiver.calls).toHaveLength(2);
    expect(receiver.calls[1]?.body).toBe(receiver.calls[0]?.body);
    expect(complaints).toEqual([]);
  });

  it("a replay sends the events of the past, and shows that it is done", async () => {
    const { receiver, sender } = recordingReceiver();
    const { page, service, actor, open } = await openDashboard({ service: { webhooks: { sender } } });
    for (const name of ["Ana", "Bruno"]) (await service.customers.create(actor, { name }))._unsafeUnwrap();
    const webhook = (await service.webhooks.create(actor, { url: HOOKS }))._unsafeUnwrap();
    await open(`/webhooks/${webhook.id}`);
    await page.getByText("Nothing was sent yet").waitFor();
    await page.getByRole("button", { name: "Replay…" }).click();
    await page.getByLabel("From", { exact: true }).fill("2020-01-01T00:00");
    await page.getByText("At most 2 events are sent.").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Start the replay" }).click();
    await page
      .getByText(/A replay is running|The last replay is done/)
      .first()
      .waitFor();
    await sendAll(service);
    await page.getByText("The last replay is done.").waitFor();
    await page.getByRole("button", { name: "Close" }).first().click();
    await page.getByRole("link", { name: "customer.created" }).first().waitFor();
    await sendAll(service);
    expect(receiver.calls.map(({ body }) => JSON.parse(body).metadata.replay)).toEqual([true, true]);
  });

  it("the selected delivery is a screen of its own on a phone, and leads back to the list", async () => {
    const { sender } = recordingReceiver();
    const size = { width: 390, height: 844 };
    const { page, service, actor, open } = await openDashboard({ size, dark: true, service: { webhooks: { sender } } });
    const webhook = (await service.webhooks.create(actor, { url: HOOKS }))._unsafeUnwrap();
    (await service.customers.create(actor, { name: "Ana" }))._unsafeUnwrap();
    await sendAll(service);
    await open(`/webhooks/${webhook.id}`);
    await page.getByRole("link", { name: "customer.created" }).click();
    await page.getByRole("heading", { name: /^Delivery \d+$/, level: 1 }).waitFor();
    await page.getByText("answered 200, 31 ms").waitFor();
    expect(await isTooWide(page)).toBe(false);
    expect(await violations(page)).toEqual([]);
    await page.getByRole("link", { name: "Deliveries" }).click();
    await page.getByRole("heading", { name: "crm.example", level: 1 }).waitFor();
    expect(await isTooWide(page)).toBe(false);
  });
});
