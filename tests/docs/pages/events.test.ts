import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Budget } from "@budgetkit/client/webhooks";
import { EVENT_TYPES } from "@budgetkit/core";
import { eventSchemas } from "@budgetkit/core/routes";
import { expect, it } from "vitest";
import { z } from "zod";
import { bundle } from "../../client/bundle.js";
import { inServedWorld } from "../../client/world.js";
import { temporaryFolder } from "../../programs/running-program.js";
import { blocksOf } from "../code/page-code.js";
import { pageTable } from "../code/page-table.js";

const page = readFileSync(new URL("../../../docs/webhooks.md", import.meta.url), "utf8");

it("docs/webhooks.md shows the table of events that the schemas give", () => {
  const rows = EVENT_TYPES.map((type) => {
    const { when, data } = eventSchemas[type];
    return [`\`${type}\``, when, namesOf(data).join(" or ")];
  });
  expect(pageTable(page, "## Events")).toEqual(rows);
});

it("docs/webhooks.md shows the table of event data that the schemas give", () => {
  const named = new Map(
    EVENT_TYPES.flatMap((type) => partsOf(eventSchemas[type].data)).map((part) => [nameOf(part), part]),
  );
  const seen = new Set<string>();
  const rows = [...named].flatMap(([name, { shape }]) =>
    VIEWS.has(name)
      ? []
      : Object.entries(shape).flatMap(([field, schema]) => {
          const row = [`\`${field}\``, name, z.globalRegistry.get(Object(schema))?.description ?? ""];
          const isInherited = seen.has(`${field} ${row[2]}`);
          seen.add(`${field} ${row[2]}`);
          return isInherited ? [] : [row];
        }),
  );
  expect(rows.filter(([, , meaning]) => meaning === "")).toEqual([]);
  expect(pageTable(page, "carry this in `data`:")).toEqual(rows);
});

/** Their fields are those of a read of the record. */
const VIEWS: ReadonlySet<string> = new Set(["Customer", "Product"]);

/** The objects that a schema is made of. Throws for other kinds of schemas. */
function partsOf(schema: unknown): z.ZodObject[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(partsOf);
  if (schema instanceof z.ZodIntersection) return [schema.def.left, schema.def.right].flatMap(partsOf);
  if (schema instanceof z.ZodObject) return [schema];
  throw new Error("event data is an object, or one of several");
}

/** The alternatives of a schema, each by the names of its parts. */
function namesOf(schema: z.ZodType): string[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((each) => partsOf(each).map(nameOf).join(" and "));
  return [nameOf(schema)];
}

function nameOf(schema: z.ZodType): string {
  const name = z.globalRegistry.get(schema)?.id;
  if (name === undefined) throw new Error("the data of an event has no name");
  return name;
}

it("the copy of budgets in docs/webhooks.md stays right, whatever the order of events", async () => {
  const [code = ""] = blocksOf(page, "ts").filter((block) => block.includes("applyChanges"));
  await inServedWorld("Hono", async (baseUrl, world) => {
    const { service, business } = world;
    const own = code.replace("https://shop.example/v1", baseUrl).replace("bgk_live_…", world.apiKey);
    const script = join(temporaryFolder(), "mirror.mjs");
    writeFileSync(script, await bundle(own, "es"));
    const { mirror, copies } = await import(pathToFileURL(script).href);
    const events: unknown[] = [];
    service.on("*", ({ type, data, occurredAt }) =>
      events.push(JSON.parse(JSON.stringify({ event: type, data, timestamp: new Date(occurredAt).toISOString() }))),
    );
    const expectCopies = async (...ids: string[]) => {
      for (const id of ids) {
        const budget = (await service.budgets.get(business, id))._unsafeUnwrap();
        expect(ownPart(copies.get(id))).toEqual(ownPart(JSON.parse(JSON.stringify(budget))));
      }
    };
    const items = [{ description: "Oak table", quantity: 1, unitPrice: 450 }];
    const made = async () =>
      (await service.budgets.create(business, { customerId: "ana", items, taxRate: 0.21 }))._unsafeUnwrap();
    const [one, other] = [await made(), await made()];
    for (const event of events.splice(0)) await mirror(event);
    for (const {
      id,
      items: [item],
    } of [one, other]) {
      const lamp = { description: "Lamp", quantity: 1, unitPrice: 50 };
      (
        await service.budgets.update(business, id, { items: [{ id: item?.id ?? "", unitPrice: 500 }, lamp] })
      )._unsafeUnwrap();
      (await service.budgets.update(business, id, { notes: "Now", status: "APPROVED" }))._unsafeUnwrap();
    }
    const changes = events.splice(0);
    for (const event of [...changes].sort(() => -1)) await mirror(event);
    for (const event of changes) await mirror(event);
    await expectCopies(one.id, other.id);
    (await service.budgets.delete(business, one.id))._unsafeUnwrap();
    for (const event of events.splice(0)) await mirror(event);
    expect(copies.get(one.id)).toMatchObject({ status: "DELETED" });
  });
});

/** Without what the catalog and the caller decide. */
function ownPart({ customer: _customer, availableActions: _actions, ...budget }: Budget) {
  return budget;
}
