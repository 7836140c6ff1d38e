import assert from "node:assert/strict";
import type { HttpCases } from "./cases.js";
import { assertStatus, assertWrong, createBudget } from "./samples.js";
import { CALLS_URL, endpointAt, sendingCases, WEBHOOKS } from "./webhook-samples.js";
import { START } from "./world.js";

export function webhookEndpointCases(cases: HttpCases): void {
  const it = sendingCases(cases);

  it("creates an endpoint that receives every event, and shows its secret once", async ({ owner, member }) => {
    const created = assertStatus(await owner.post(WEBHOOKS, { url: CALLS_URL }), 201);
    const path = `${WEBHOOKS}/${created.text("id")}`;
    const location = new URL(created.headers.location ?? "", `http://host.example/v1${WEBHOOKS}`);
    assert.equal(location.pathname, `/v1${path}`);
    assert.match(created.text("secret"), /^whsec_/);
    const read = assertStatus(await member.get(path), 200);
    assert.deepEqual(JSON.parse(read.body), {
      id: created.at("id"),
      url: CALLS_URL,
      description: null,
      events: null,
      status: "ACTIVE",
      disabledReason: null,
      allowedIps: null,
      retryPolicy: { delaysSeconds: [0, 60, 300, 1_800, 7_200, 43_200] },
      failingSince: null,
      createdAt: START,
      updatedAt: START,
    });
    assert.ok(!(await member.get(WEBHOOKS)).body.includes(created.text("secret")));
  });

  it("an endpoint keeps every given setting, changes some, and clears them with null", async ({ owner }) => {
    const created = await owner.post(WEBHOOKS, {
      url: CALLS_URL,
      description: "Stock",
      events: ["budget.approved"],
      secret: "a secret of one's own",
      allowedIps: ["203.0.113.7", "2001:db8::1/32"],
      retryPolicy: { delaysSeconds: [0, 5] },
      ordering: "subject",
      status: "DISABLED",
    });
    assertStatus(created, 201);
    assert.equal(created.at("secret"), "a secret of one's own");
    const path = `${WEBHOOKS}/${created.text("id")}`;
    const changed = assertStatus(await owner.put(path, { url: `${CALLS_URL}/2`, status: "ACTIVE" }), 200);
    changed.assertAt({ url: `${CALLS_URL}/2`, status: "ACTIVE", description: "Stock" });
    changed.assertAt({ events: ["budget.approved"], allowedIps: ["203.0.113.7", "2001:db8::/32"] });
    changed.assertAt({ retryPolicy: { delaysSeconds: [0, 5] }, ordering: "subject" });
    const cleared = await owner.put(path, { description: null, events: null, allowedIps: null, retryPolicy: null });
    for (const field of ["description", "events", "allowedIps"]) assert.equal(cleared.at(field), null, field);
    assert.equal(cleared.at("retryPolicy.delaysSeconds.5"), 43_200);
    assert.equal((await owner.put(path, { ordering: "none" })).at("ordering"), undefined);
  });

  const wrong: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
    [{ url: undefined }, "url"],
    [{ url: "ftp://hooks.example" }, "url"],
    [{ url: "http://127.0.0.1/calls" }, "url"],
    [{ url: "http://[::ffff:169.254.169.254]/" }, "url"],
    [{ url: "http://2130706433/" }, "url"],
    [{ url: "https://user:pass@hooks.example/" }, "url"],
    [{ events: [] }, "events"],
    [{ events: ["budget.exploded"] }, "events[0]"],
    [{ secret: "short" }, "secret"],
    [{ allowedIps: ["10/8"] }, "allowedIps[0]"],
    [{ retryPolicy: { delaysSeconds: [] } }, "retryPolicy.delaysSeconds"],
    [{ retryPolicy: { delaysSeconds: [5] } }, "retryPolicy.delaysSeconds"],
    [{ retryPolicy: { delaysSeconds: [0, 86_401] } }, "retryPolicy.delaysSeconds[1]"],
    [{ retryPolicy: { delaysSeconds: [0, 0, 60] } }, "retryPolicy.delaysSeconds[1]"],
    [{ retryPolicy: { delaysSeconds: [0, ...new Array(12).fill(60)] } }, "retryPolicy.delaysSeconds"],
    [{ status: "PAUSED" }, "status"],
  ];
  for (const [overrides, field] of wrong) {
    it(`refuses an endpoint with ${JSON.stringify(overrides)}`, async ({ owner }) => {
      assertWrong(await owner.post(WEBHOOKS, { url: CALLS_URL, ...overrides }), field);
      assert.equal((await owner.get(WEBHOOKS)).at("pagination.total"), 0);
    });
  }

  it("refuses to change an endpoint's URL to one that creation refuses", async ({ owner }) => {
    const path = await endpointAt(owner);
    assertWrong(await owner.put(path, { url: "http://10.0.0.1/" }), "url");
    assert.equal((await owner.get(path)).at("url"), CALLS_URL);
  });

  it("lists endpoints in pages, newest first", async ({ owner }) => {
    const paths: string[] = [];
    for (let count = 0; count < 3; count += 1) paths.push(await endpointAt(owner));
    const list = assertStatus(await owner.get(`${WEBHOOKS}?limit=2`), 200);
    assert.equal(`${WEBHOOKS}/${list.text("data.0.id")}`, paths[2]);
    list.assertAt({ "pagination.total": 3, "pagination.hasMore": true });
    const rest = await owner.get(`${WEBHOOKS}?limit=2&page=2`);
    assert.equal(`${WEBHOOKS}/${rest.text("data.0.id")}`, paths[0]);
    assertStatus(await owner.get(`${WEBHOOKS}?limit=0`), 400);
  });

  it("disabling or deleting an endpoint cancels its pending deliveries", async (world) => {
    const { owner, full, service, receiver } = world;
    receiver.status = 503;
    const path = await endpointAt(owner);
    await createBudget(full);
    await service.webhooks.tick();
    assertStatus(await owner.put(path, { status: "DISABLED" }), 200);
    assert.equal((await owner.get(`${path}/deliveries`)).at("data.0.status"), "cancelled");
    const deleted = assertStatus(await owner.delete(path), 200);
    assert.deepEqual(deleted.at("data"), { id: path.split("/").at(-1), deletedAt: START });
    for (const gone of [path, `${path}/deliveries`, `${path}/secret`]) assertStatus(await owner.get(gone), 404);
    assertStatus(await owner.delete(path), 404);
  });

  it("disables an endpoint whose receiver is gone (410)", async ({ owner, full, service, receiver }) => {
    receiver.status = 410;
    const path = await endpointAt(owner);
    await createBudget(full);
    await service.webhooks.tick();
    const read = await owner.get(path);
    assert.equal(read.at("status"), "DISABLED");
    assert.match(read.text("disabledReason"), /410/);
    assert.equal((await owner.put(path, { status: "ACTIVE" })).at("disabledReason"), null);
  });

  it("the events of another business call no endpoint", async ({ owner, full, stranger, service, receiver }) => {
    await endpointAt(owner);
    for (const [client, calls] of [
      [stranger, 0],
      [full, 1],
    ] as const) {
      await createBudget(client);
      await service.webhooks.tick();
      assert.equal(receiver.sent.length, calls);
    }
  });
}
