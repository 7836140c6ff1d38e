import assert from "node:assert/strict";
import type { HttpCases } from "./cases.js";
import { CUIT, CUIT_DIGITS, CUSTOMERS, createIn, PACKAGES, PRODUCTS } from "./catalog-kinds.js";
import type { Reply } from "./client.js";
import { assertInvalid, assertRule, assertStatus } from "./samples.js";
import type { World } from "./world.js";

const keyOf = ({ withKey }: World) =>
  withKey({ scopes: ["READ_CUSTOMERS", "WRITE_CUSTOMERS", "READ_PRODUCTS", "WRITE_PRODUCTS"] });

export function catalogRuleCases(cases: HttpCases): void {
  customerCases(cases);
  productCases(cases);
  packageCases(cases);
}

function assertTaken(reply: Reply, field: string): void {
  assertStatus(reply, 409);
  reply.assertAt({ error: "conflict", "details.field": field });
}

function customerCases({ it }: HttpCases): void {
  it("a customer keeps every field, with dni and cuit as digits, and null clears", async (world) => {
    const client = await keyOf(world);
    const fields = {
      name: "Ñandú SRL",
      email: "ventas@example.com",
      phone: "+54 11 5555-0000",
      taxCondition: "RESPONSABLE_INSCRIPTO",
      address: "Av. Siempre Viva 742",
      externalId: "CRM-9",
      metadata: { since: 2019 },
    };
    const created = assertStatus(await client.post(CUSTOMERS, { ...fields, dni: "30.123.456", cuit: CUIT }), 201);
    const { id, version, createdAt, updatedAt, ...rest } = Object(created.at("data"));
    assert.deepEqual(rest, { ...fields, dni: "30123456", cuit: CUIT_DIGITS });
    const empty = { email: null, phone: null, dni: null, cuit: null, taxCondition: null, address: null };
    const cleared = await client.put(`${CUSTOMERS}/${id}`, { ...empty, externalId: null });
    for (const field of [...Object.keys(empty), "externalId"]) assert.equal(cleared.at(`data.${field}`), null, field);
  });

  for (const email of [
    "info@müller-bau.example",
    "jörg@example.com",
    "test&test@example.com",
    "sales/eu@example.com",
  ]) {
    it(`accepts the email address ${email} for a customer`, async (world) => {
      const client = await keyOf(world);
      assert.equal(assertStatus(await client.post(CUSTOMERS, { name: "Bruno", email }), 201).at("data.email"), email);
    });
  }

  for (const [body, error] of [
    [{ email: "nobody" }, "email:INVALID_FORMAT"],
    [{ email: "jörg@example.com\r\nBcc: eve@example.com" }, "email:INVALID_FORMAT"],
    [{ phone: "" }, "phone:MIN_LENGTH"],
    [{ dni: "123456" }, "dni:INVALID_FORMAT"],
    [{ dni: "123456789" }, "dni:INVALID_FORMAT"],
    [{ dni: 30123456 }, "dni:INVALID_TYPE"],
    [{ cuit: "20-30123456-4" }, "cuit:INVALID_FORMAT"],
    [{ cuit: "2030123456" }, "cuit:INVALID_FORMAT"],
    [{ cuit: "x".repeat(100) }, "cuit:MAX_LENGTH"],
    [{ address: "x".repeat(2_001) }, "address:MAX_LENGTH"],
    [{ externalId: "" }, "externalId:MIN_LENGTH"],
    [{ metadata: { big: "x".repeat(17_000) } }, "metadata:MAX_LENGTH"],
  ] as const) {
    it(`refuses a customer with ${JSON.stringify(body).slice(0, 40)}`, async (world) => {
      const client = await keyOf(world);
      assertInvalid(await client.post(CUSTOMERS, { name: "Bruno", ...body }), error);
    });
  }

  it("refuses a cuit that another customer has, in any spelling (CONFLICT)", async (world) => {
    const client = await keyOf(world);
    const first = await createIn(client, CUSTOMERS, { name: "First", cuit: CUIT });
    const second = await createIn(client, CUSTOMERS, { name: "Second" });
    assertTaken(await client.post(CUSTOMERS, { name: "Third", cuit: CUIT_DIGITS }), "cuit");
    assertTaken(await client.put(`${CUSTOMERS}/${second}`, { cuit: CUIT }), "cuit");
    assertStatus(await client.put(`${CUSTOMERS}/${first}`, { cuit: CUIT_DIGITS }), 200);
    await client.delete(`${CUSTOMERS}/${first}`);
    assertStatus(await client.put(`${CUSTOMERS}/${second}`, { cuit: CUIT }), 200);
    assertTaken(await client.post(`${CUSTOMERS}/${first}/restore`), "cuit");
    await client.put(`${CUSTOMERS}/${second}`, { cuit: null });
    assertStatus(await client.post(`${CUSTOMERS}/${first}/restore`), 200);
  });

  it("gives a cuit to one of many concurrent customers (CONFLICT)", async (world) => {
    const client = await keyOf(world);
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) => client.post(CUSTOMERS, { name: `C${index}`, cuit: CUIT })),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409, 409, 409]);
  });
}

function productCases({ it }: HttpCases): void {
  it("a product keeps every field, and gives its variants ids", async (world) => {
    const client = await keyOf(world);
    const fields = {
      name: "Shirt",
      sku: "SH",
      description: "Of cotton",
      unitPrice: 10.123456,
      currency: "ARS",
      taxRate: 0.21,
      active: false,
      options: [{ name: "Colour", values: ["red", "blue"] }],
      metadata: { a: 1 },
    };
    const red = { name: "Shirt, red", sku: "SH-R", options: { Colour: "red" }, unitPrice: 11, active: true };
    const created = await client.post(PRODUCTS, { ...fields, variants: [red, { id: "blue", name: "Shirt, blue" }] });
    assertStatus(created, 201);
    const { id, version, createdAt, updatedAt, variants, ...rest } = Object(created.at("data"));
    assert.deepEqual(rest, fields);
    const given = created.text("data.variants.0.id");
    assert.deepEqual(variants, [
      { ...red, id: given },
      { id: "blue", name: "Shirt, blue", sku: null, options: {}, unitPrice: null, active: true },
    ]);
    const changed = await client.put(`${PRODUCTS}/${id}`, { variants: [{ id: given, name: "Shirt, red" }] });
    changed.assertData({ "variants.0.id": given, "variants.0.sku": null, "variants.1": undefined });
    (await client.post(PRODUCTS, { name: "Plain" })).assertData({ currency: "USD", active: true, unitPrice: null });
  });

  for (const [body, error] of [
    [{ sku: "" }, "sku:MIN_LENGTH"],
    [{ unitPrice: -1 }, "unitPrice:MIN_VALUE"],
    [{ unitPrice: 0.0000001 }, "unitPrice:INVALID_FORMAT"],
    [{ unitPrice: "10" }, "unitPrice:INVALID_TYPE"],
    [{ currency: "usd" }, "currency:INVALID_VALUE"],
    [{ taxRate: 1.5 }, "taxRate:MAX_VALUE"],
    [{ active: "yes" }, "active:INVALID_TYPE"],
    [{ options: [{ name: "Colour", values: [] }] }, "options[0].values:MIN_LENGTH"],
    [{ variants: [{ sku: "A" }] }, "variants[0].name:REQUIRED"],
    [{ variants: [{ name: "A", options: { a: 1 } }] }, "variants[0].options.a:INVALID_TYPE"],
    [
      {
        variants: [
          { id: "a", name: "A" },
          { id: "a", name: "B" },
        ],
      },
      "variants[1].id:INVALID_VALUE",
    ],
  ] as const) {
    it(`refuses a product with ${JSON.stringify(body).slice(0, 60)}`, async (world) => {
      const client = await keyOf(world);
      assertInvalid(await client.post(PRODUCTS, { name: "Table", ...body }), error);
    });
  }

  it("refuses a sku that another product or variant has (CONFLICT)", async (world) => {
    const client = await keyOf(world);
    const variants = [{ name: "Dark", sku: "OAK-D" }];
    const first = await createIn(client, PRODUCTS, { name: "Table", sku: "OAK", variants });
    const second = await createIn(client, PRODUCTS, { name: "Chair" });
    assertTaken(await client.post(PRODUCTS, { name: "Third", sku: "OAK-D" }), "sku");
    assertTaken(await client.put(`${PRODUCTS}/${second}`, { sku: "OAK" }), "sku");
    const late = [{ name: "Plain" }, { name: "Dark", sku: "OAK-D" }];
    assertTaken(await client.put(`${PRODUCTS}/${second}`, { variants: late }), "variants[1].sku");
    const twice = [
      { name: "A", sku: "X" },
      { name: "B", sku: "X" },
    ];
    assertTaken(await client.post(PRODUCTS, { name: "Third", variants: twice }), "variants[1].sku");
    assertTaken(await client.post(PRODUCTS, { name: "Third", sku: "X", variants: twice.slice(1) }), "variants[0].sku");
    await client.delete(`${PRODUCTS}/${first}`);
    assertStatus(await client.put(`${PRODUCTS}/${second}`, { sku: "OAK-D" }), 200);
    assertTaken(await client.post(`${PRODUCTS}/${first}/restore`), "variants[0].sku");
  });
}

function packageCases({ it }: HttpCases): void {
  it("a package costs its own price, or the sum of its items", async (world) => {
    const client = await keyOf(world);
    const variants = [{ id: "xl", name: "Table, XL", unitPrice: 600.005 }];
    await createIn(client, PRODUCTS, { id: "table", name: "Table", unitPrice: 450, variants });
    await createIn(client, PRODUCTS, { id: "chair", name: "Chair", unitPrice: 33.335 });
    const items = [
      { productId: "table", variantId: "xl", quantity: 1 },
      { productId: "chair", quantity: 4 },
    ];
    const summed = assertStatus(await client.post(PACKAGES, { name: "Dining room", items }), 201);
    summed.assertData({ price: null, effectivePrice: 733.35 });
    assert.deepEqual(summed.at("data.items.1"), { productId: "chair", variantId: null, quantity: 4 });
    const path = `${PACKAGES}/${summed.text("data.id")}`;
    await client.put(`${PRODUCTS}/chair`, { unitPrice: 10 });
    assert.equal((await client.get(path)).at("data.effectivePrice"), 640.01);
    assert.equal((await client.get(PACKAGES)).at("data.0.effectivePrice"), 640.01);
    assert.equal((await client.put(path, { price: 599.99 })).at("data.effectivePrice"), 599.99);
    await client.put(path, { price: null });
    await client.put(`${PRODUCTS}/chair`, { currency: "ARS" });
    assert.equal((await client.get(path)).at("data.effectivePrice"), null);
  });

  it("refuses a package with unknown products or variants (UNKNOWN_REFERENCE)", async (world) => {
    const client = await keyOf(world);
    await createIn(client, PRODUCTS, { id: "table", name: "Table", variants: [{ id: "xl", name: "XL" }] });
    await createIn(client, PRODUCTS, { id: "gone", name: "Gone" });
    await client.delete(`${PRODUCTS}/gone`);
    (await world.service.products.create(world.otherBusiness, { id: "theirs", name: "Theirs" }))._unsafeUnwrap();
    const good = { productId: "table", variantId: "xl", quantity: 1 };
    const path = `${PACKAGES}/${await createIn(client, PACKAGES, { name: "Good", items: [good] })}`;
    for (const [item, field] of [
      [{ productId: "none", quantity: 1 }, "items[1].productId"],
      [{ productId: "gone", quantity: 1 }, "items[1].productId"],
      [{ productId: "theirs", quantity: 1 }, "items[1].productId"],
      [{ productId: "table", variantId: "xs", quantity: 1 }, "items[1].variantId"],
    ] as const) {
      for (const reply of [
        await client.post(PACKAGES, { name: "Bad", items: [good, item] }),
        await client.put(path, { items: [good, item] }),
      ]) {
        assertRule(reply, "UNKNOWN_REFERENCE", field);
      }
    }
    await client.delete(`${PRODUCTS}/table`);
    assertStatus(await client.put(path, { name: "Renamed" }), 200);
  });

  it("refuses a package without items, and prices that are too large (AMOUNT_TOO_LARGE)", async (world) => {
    const client = await keyOf(world);
    await createIn(client, PRODUCTS, { id: "table", name: "Table" });
    const items = [{ productId: "table", quantity: 1 }];
    assertInvalid(await client.post(PACKAGES, { name: "Empty", items: [] }), "items:MIN_LENGTH");
    assertInvalid(await client.post(PACKAGES, { name: "None" }), "items:REQUIRED");
    assertInvalid(
      await client.post(PACKAGES, { name: "Zero", items: [{ productId: "table", quantity: 0 }] }),
      "items[0].quantity:MIN_VALUE",
    );
    assertInvalid(await client.post(PACKAGES, { name: "Long", items: Array(101).fill(items[0]) }), "items:MAX_LENGTH");
    assertInvalid(await client.post(PACKAGES, { name: "Fine", items, price: 1.005 }), "price:INVALID_FORMAT");
    assertInvalid(
      await client.post(PACKAGES, { name: "Yen", items, price: 1.5, currency: "JPY" }),
      "price:INVALID_FORMAT",
    );
    assertRule(await client.post(PACKAGES, { name: "Huge", items, price: 9e15 }), "AMOUNT_TOO_LARGE");
    const over = 70_368_744_177_664.02;
    assertRule(await client.post(PRODUCTS, { name: "Huge", unitPrice: over }), "AMOUNT_TOO_LARGE", "unitPrice");
    const variants = [{ name: "Small" }, { name: "Huge", unitPrice: over }];
    const ofVariant = await client.post(PRODUCTS, { name: "Sizes", unitPrice: 1, variants });
    assert.equal(ofVariant.at("details.field"), "variants[1].unitPrice");
    assertRule(ofVariant, "AMOUNT_TOO_LARGE");
  });
}
