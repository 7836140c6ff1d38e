import { type Actor, type BudgetService, createBudgetService, SCOPES, scryptHasher } from "@budgetkit/core";
import {
  type ManualClock,
  manualClock,
  memoryBlobStore,
  memoryStore,
  SCALE,
  type Send,
  type StartHost,
  seededRandom,
} from "@budgetkit/testing";
import { totpCode } from "../../packages/testing/src/http-suite/totp-code.js";

/** A service in which something of everything exists, the same each time: what the documented examples are made in. */
export interface DocumentedWorld {
  readonly service: BudgetService;
  readonly clock: ManualClock;
  readonly business: Actor; // may do everything
  readonly send: Send;
  readonly apiKey: string; // with every scope
  readonly login: string; // of the owner
  /** The id, token or text that goes by a name. Throws for a name that there is not. */
  readonly named: (name: string) => string;
  /** The calls of receivers so far. */
  readonly calls: readonly ReceivedCall[];
}

interface ReceivedCall {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const OWNER = { email: "olga@example.com", password: "correct horse battery" };

/** The example of a new product, which the example of a new package names. */
export const CHAIR = {
  id: "chair",
  name: "Chair",
  sku: "CHAIR",
  unitPrice: 120,
  options: [{ name: "wood", values: ["oak", "pine"] }],
  variants: [{ id: "chair-pine", name: "Chair, pine", sku: "CHAIR-P", options: { wood: "pine" }, unitPrice: 95 }],
};

const OFFER = {
  currency: "ARS",
  issueDate: "2026-03-01",
  expirationDate: "2099-12-31",
  customerId: 501,
  sellerId: 7,
  minimumPaymentToConfirm: 0,
  subtotal: 1_000,
  total: 1_210,
  iva: 210,
  items: [{ productId: 700, quantity: 2, unitPrice: 500 }],
};

/** An offer of which the customer sets lines, and the names of these. */
const KITCHEN = {
  customerId: "ana",
  taxes: [{ id: "vat", name: "VAT", rate: 0.21, inclusive: true }],
  deposit: { rate: 0.3 },
  items: [
    { kind: "choice" as const, key: "worktop", description: "Worktop" },
    { description: "Oak", quantity: 1, unitPrice: 780, choice: "worktop", selected: true },
    { description: "Granite", quantity: 1, unitPrice: 1_420, choice: "worktop" },
    { description: "Island", quantity: 1, unitPrice: 2_300, optional: true },
    {
      description: "Tiles",
      quantity: 20,
      unit: "m²",
      unitPrice: 64,
      quantityRange: { minimum: 20, maximum: 60, step: 0.5 },
      priceTiers: [{ from: 40, unitPrice: 55 }],
    },
  ],
};

/** Operations that read what only a prepared world has, or that show that there were requests before. */
const SINGULAR_READS = [
  ...["openEvidence", "getWebhookReplay", "listMessages", "listPublicMessages", "listUsers", "getUser"],
  ...[
    "listApiKeys",
    "getApiKey",
    "getApiKeyStatistics",
    "getDashboardStatistics",
    "getSalesStatistics",
    "getLedgerCheckpoint",
  ],
];

/** Whether an operation is answered the same before and after all others of this kind: they may share a world. */
export function canShareWorld({ method, operationId }: { readonly method: string; readonly operationId: string }) {
  return method === "GET" && !SINGULAR_READS.includes(operationId);
}

/**
 * Runs `body` in a new world behind a host; what was opened is closed again. Some operations need a world that is
 * prepared for them. Fails also if the service broke meanwhile.
 */
export async function inDocumentedWorld(
  start: StartHost,
  body: (world: DocumentedWorld) => Promise<void>,
  operationId = "",
): Promise<void> {
  const store = memoryStore();
  const clock = manualClock("2026-03-02T12:00:00.000Z");
  const random = seededRandom(3);
  const calls: ReceivedCall[] = [];
  const errors: unknown[] = [];
  const service = createBudgetService({
    store,
    blobs: memoryBlobStore(),
    pdf: { render: async () => new TextEncoder().encode("%PDF-1.7 …") },
    clock,
    random,
    secret: "a secret for tests that is long enough",
    publicBaseUrl: "https://quotes.example/v1",
    passwordHasher: scryptHasher(random, { cost: 2 }),
    mailer: { send: async () => {}, sendMessage: async () => {} },
    onError: (error) => errors.push(error),
    webhooks: {
      sender: {
        send: async (call) => {
          calls.push(call);
          return { kind: "answered", responseCode: 204, responseBody: "", retryAfterSeconds: null, durationMs: 87 };
        },
      },
    },
  });
  await store.migrate();
  const host = await start(service);
  try {
    await body({ service, clock, send: host.send, calls, ...(await furnish(service, clock, operationId)) });
  } catch (error) {
    errors.unshift(error);
  } finally {
    await host.close();
    await service.stop();
    await store.close();
  }
  if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors, "the service broke");
}

/**
 * Makes a check of each case: all that can share a world in one, the others in one each. In a small run these share few
 * worlds too. Each is prepared for the first case that waits, which must pass in it; the others that pass in it too are
 * done, and the rest, which found what earlier cases had changed, wait for the next.
 */
export async function inFewWorlds<World, Case extends { readonly method: string; readonly operationId: string }>(
  cases: readonly Case[],
  inWorld: (operationId: string, body: (world: World) => Promise<void>) => Promise<void>,
  check: (world: World, each: Case) => Promise<void>,
): Promise<void> {
  const shared = cases.filter(canShareWorld);
  if (shared.length === 0) throw new Error("no case can share a world");
  await inWorld("", async (world) => {
    for (const each of shared) await check(world, each);
  });
  const single = cases.filter((each) => !canShareWorld(each));
  if (SCALE === "full") {
    for (const each of single) await inWorld(each.operationId, (world) => check(world, each));
    return;
  }
  for (let [first, ...others] = single; first !== undefined; [first, ...others] = others) {
    const prepared = first;
    const waiting: Case[] = [];
    await inWorld(prepared.operationId, async (world) => {
      await check(world, prepared);
      for (const each of others) await check(world, each).catch(() => waiting.push(each));
    });
    others = waiting;
  }
}

/** An open offer with a link. Returns the names that the request for its preview uses. */
async function prepareKitchen({ budgets }: BudgetService, business: Actor): Promise<Readonly<Record<string, string>>> {
  const { id, items } = (await budgets.create(business, KITCHEN))._unsafeUnwrap();
  const { publicToken } = (await budgets.createPublicLink(business, id))._unsafeUnwrap();
  const [, , granite, island, tiles] = items.map((line) => line.id);
  return { kitchenToken: publicToken, graniteId: granite ?? "", islandId: island ?? "", tilesId: tiles ?? "" };
}

/** Operations on another user of the business. */
const ON_USERS = ["listUsers", "getUser", "updateUser", "removeUser", "endUserSessions", "resendInvitation"];
/** Operations on the second factor of a user. */
const ON_FACTORS = ["confirmTotp", "disableTotp", "removeUserSecondFactor"];

/** What operations on the own account and on other users start from. Returns the names that their requests use. */
async function prepareAccount(
  { users }: BudgetService,
  clock: ManualClock,
  businessId: string,
  operationId: string,
  refreshToken: string,
): Promise<Readonly<Record<string, string>>> {
  const system = { kind: "system", businessId } as const;
  if (operationId === "setPassword") {
    const ben = { email: "ben@example.com", displayName: "Ben", role: "MEMBER" } as const;
    return { oneTimeToken: (await users.invite(system, ben))._unsafeUnwrap().token };
  }
  if (ON_USERS.includes(operationId)) {
    const bea = { email: "bea@example.com", displayName: "Bea Paz", role: "MEMBER" } as const;
    return { userId: String((await users.invite(system, bea))._unsafeUnwrap().user.id) };
  }
  if (!ON_FACTORS.includes(operationId)) return {};
  const bea = { email: "bea@example.com", displayName: "Bea Paz", role: "MEMBER", businessId } as const;
  const self =
    operationId === "removeUserSecondFactor"
      ? (await users.create({ ...bea, password: OWNER.password }))._unsafeUnwrap()
      : (await users.findByEmail(OWNER.email))._unsafeUnwrap();
  const userId = String(self.id);
  // The session of the request stays: a second factor ends the others.
  const sessionId = refreshToken.split(".")[1] ?? "";
  const actor = { kind: "user", businessId, id: userId, role: self.role, sessionId } as const;
  const { secret } = (await users.totp.enrol(actor, { password: OWNER.password }))._unsafeUnwrap();
  const code = totpCode(secret, clock.now());
  if (operationId === "confirmTotp") return { totpCode: code };
  const { recoveryCodes } = (await users.totp.confirm(actor, { code }))._unsafeUnwrap();
  return { recoveryCode: recoveryCodes[0] ?? "", userId };
}

async function furnish(
  service: BudgetService,
  clock: ManualClock,
  operationId: string,
): Promise<Pick<DocumentedWorld, "business" | "apiKey" | "login" | "named">> {
  const known = new Map<string, string>();
  const businessId = (await service.businesses.create({ name: "Carpintería Norte" }))._unsafeUnwrap().id;
  const system = { kind: "system", businessId } as const;
  const user = { ...OWNER, businessId, displayName: "Olga", role: "OWNER" } as const;
  (await service.users.create(user))._unsafeUnwrap();
  const session = (await service.sessions.login(OWNER))._unsafeUnwrap();
  known.set("refreshToken", session.refresh_token);
  const settings = { name: "Web shop", scopes: [...SCOPES], webhookUrl: "https://shop.example/hooks" };
  const key = (await service.keys.create(system, settings))._unsafeUnwrap();
  known.set("keyId", key.id);

  const ana = { id: "ana", name: "Ana Ruiz", email: "ana@example.com", phone: "+54 11 5555 0101", dni: "30123456" };
  (await service.customers.create(system, ana))._unsafeUnwrap();
  (await service.customers.create(system, { id: "bruno", name: "Bruno" }))._unsafeUnwrap();
  (await service.customers.delete(system, "bruno"))._unsafeUnwrap();
  const table = {
    id: "table",
    name: "Oak table",
    sku: "OAK-TABLE",
    unitPrice: 450,
    options: [{ name: "size", values: ["M", "L"] }],
    variants: [{ id: "table-l", name: "Oak table, large", sku: "OAK-TABLE-L", options: { size: "L" }, unitPrice: 520 }],
  };
  (await service.products.create(system, table))._unsafeUnwrap();
  (await service.products.create(system, { id: "stool", name: "Stool" }))._unsafeUnwrap();
  (await service.products.delete(system, "stool"))._unsafeUnwrap();
  if (operationId === "createPackage") (await service.products.create(system, CHAIR))._unsafeUnwrap();
  const set = { id: "dining-set", name: "Dining set", items: [{ productId: "table", quantity: 1 }] };
  (await service.packages.create(system, set))._unsafeUnwrap();
  (await service.packages.create(system, { ...set, id: "small-set" }))._unsafeUnwrap();
  (await service.packages.delete(system, "small-set"))._unsafeUnwrap();

  const endpoint = { url: "https://crm.example/hooks", events: ["budget.created", "budget.approved"] as const };
  const webhook = (
    await service.webhooks.create(system, { ...endpoint, events: [...endpoint.events] })
  )._unsafeUnwrap();
  known.set("webhookId", webhook.id);
  const connected = { name: "CRM", apiKeyId: key.id, webhookIds: [webhook.id], config: { pipeline: "sales" } };
  known.set("integrationId", (await service.integrations.create(system, connected))._unsafeUnwrap().id);

  const content = {
    customerId: "ana",
    taxRate: 0.21,
    items: [{ productId: "table", description: "Oak table", quantity: 1, unitPrice: 450 }],
  };
  const budget = async (more = {}) =>
    (await service.budgets.create(system, { ...content, ...more }))._unsafeUnwrap().id;
  for (const name of ["budgetId", "approvedId", "completedId", "deletedId"]) known.set(name, await budget());
  known.set("draftId", await budget({ draft: true }));
  if (operationId === "extendBudgets") known.set("endingId", await budget({ validUntil: "2026-04-01" }));
  const id = (name: string) => known.get(name) ?? "";
  (await service.budgets.update(system, id("budgetId"), { notes: "Delivery in two weeks" }))._unsafeUnwrap();
  for (const name of ["approvedId", "completedId"]) {
    (await service.budgets.update(system, id(name), { status: "APPROVED" }))._unsafeUnwrap();
  }
  (await service.budgets.complete(system, id("completedId")))._unsafeUnwrap();
  (await service.budgets.delete(system, id("deletedId")))._unsafeUnwrap();
  const budgetItem = (await service.budgets.get(system, id("budgetId")))._unsafeUnwrap().items[0];
  known.set("itemId", budgetItem?.id ?? "");
  const payment = { amount: 100, reference: "transfer 88" };
  (await service.budgets.recordPayment(system, id("budgetId"), payment))._unsafeUnwrap();
  const offered = (await service.budgets.createPublic(system, OFFER))._unsafeUnwrap();
  known.set("token", offered.publicToken);
  known.set("linkedId", String(offered.budgetId));
  known.set("shownHash", (await service.budgets.openPublicLink(offered.publicToken))._unsafeUnwrap().hash);
  const file = { fileName: "plan.txt", contentType: "text/plain", content: bytesOf("2.10 m by 0.95 m") };
  known.set("attachmentId", (await service.attachments.add(system, id("budgetId"), file))._unsafeUnwrap().id);

  if (operationId === "openEvidence") {
    const answer = { version: 1, name: "Ana Ruiz", signature: "M 10 20 L 30 40" };
    (await service.budgets.answerPublicLink(offered.publicToken, "accept", answer))._unsafeUnwrap();
  }
  if (operationId === "listMessages" || operationId === "listPublicMessages") {
    const question = { name: "Ana Ruiz", message: "Is delivery included?" };
    (await service.budgets.sendLinkMessage(offered.publicToken, question))._unsafeUnwrap();
    (await service.budgets.sendMessage(system, id("linkedId"), { message: "Yes, it is." }))._unsafeUnwrap();
  }
  await service.webhooks.tick();
  if (operationId === "getWebhookReplay" || operationId === "cancelWebhookReplay") {
    (await service.webhooks.replay(system, webhook.id, { fromSequence: 1 }))._unsafeUnwrap();
  }
  const logo = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M4 20L12 4L20 20Z"/></svg>';
  (await service.businesses.setLogo(system, Buffer.from(logo)))._unsafeUnwrap();
  const prepared =
    operationId === "previewPublicBudget"
      ? await prepareKitchen(service, system)
      : await prepareAccount(service, clock, businessId, operationId, session.refresh_token);
  for (const [name, value] of Object.entries(prepared)) known.set(name, value);
  for (const [name, of] of [
    ["deliveryId", webhook.id],
    ["keyDeliveryId", { kind: "key", id: key.id } as const],
  ] as const) {
    const deliveries = (await service.webhooks.deliveries(system, of))._unsafeUnwrap().data;
    known.set(name, deliveries[0]?.id ?? "");
  }
  return {
    business: system,
    apiKey: key.key,
    login: session.access_token,
    named: (name) => {
      const value = known.get(name);
      if (value === undefined) throw new Error(`nothing is named ${name}`);
      return value;
    },
  };
}

/** Causes every event that subscribers receive, and delivers them. */
export async function causeEveryEvent({ service, clock, business, named, send }: DocumentedWorld): Promise<void> {
  const { budgets, customers, products } = service;
  const made = async (more = {}) => {
    const content = { customerId: "ana", items: [{ description: "Oak table", quantity: 1, unitPrice: 450 }], ...more };
    return (await budgets.create(business, content))._unsafeUnwrap().id;
  };
  await made({ validUntil: "2026-03-03T12:00:00Z" });
  (await budgets.update(business, await made(), { status: "REJECTED" }))._unsafeUnwrap();
  await send({ method: "GET", path: `/v1/p/${named("token")}/seen.svg`, headers: {}, body: null });
  const request = { version: 1, name: "Ana Ruiz", message: "Could it be pine instead of oak?" };
  (await budgets.requestChange(named("token"), request))._unsafeUnwrap();
  const question = { name: "Ana Ruiz", message: "Is delivery included?" };
  (await budgets.sendLinkMessage(named("token"), question))._unsafeUnwrap();
  (await budgets.update(business, named("budgetId"), { status: "APPROVED" }))._unsafeUnwrap();
  (await budgets.delete(business, named("draftId")))._unsafeUnwrap();
  (await customers.update(business, "ana", { phone: null }))._unsafeUnwrap();
  (await customers.delete(business, "ana"))._unsafeUnwrap();
  (await products.update(business, "table", { unitPrice: 460.5 }))._unsafeUnwrap();
  (await products.delete(business, "table"))._unsafeUnwrap();
  clock.advance(2 * 24 * 60 * 60 * 1_000);
  await service.tick();
  await service.webhooks.tick();
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
