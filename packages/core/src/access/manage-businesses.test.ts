import { describe, expect, it } from "vitest";
import { parseInput } from "../kernel/validation.js";
import { accessWorld } from "../testing/access-world.js";
import { EMPTY_PROFILE } from "./business.js";
import {
  createBusiness,
  createBusinessSchema,
  listBusinessesSchema,
  setTier,
  tierSchema,
} from "./manage-businesses.js";

describe("createBusiness", () => {
  it("createBusiness makes a business with an id of its own", async () => {
    const { context, store } = await accessWorld();
    const input = { name: "Taller Sur", tier: "PREMIUM", timeZone: "America/Lima" } as const;
    const business = (await createBusiness(context, input))._unsafeUnwrap();
    const made = { profile: EMPTY_PROFILE, version: 1, createdAt: context.clock.now() };
    expect(business).toEqual({ ...input, ...made, id: expect.stringMatching(/^[1-9]\d*$/) });
    expect(await store.findBusiness(business.id)).toEqual(business);
  });

  it("createBusiness uses STANDARD and UTC by default", () => {
    expect(createBusinessSchema.parse({ name: "Taller Sur" })).toMatchObject({ tier: "STANDARD", timeZone: "UTC" });
  });

  it("createBusiness refuses an unknown time zone", () => {
    const refused = parseInput(createBusinessSchema, { name: "Taller Sur", timeZone: "Mars/Olympus" });
    expect(refused._unsafeUnwrapErr()).toMatchObject({ kind: "invalid", errors: [{ field: "timeZone" }] });
  });
});

describe("listBusinessesSchema", () => {
  it("listBusinessesSchema lists the first hundred by default", () => {
    expect(listBusinessesSchema.parse({})).toEqual({ after: null, limit: 100 });
    expect(listBusinessesSchema.parse({ after: "1001", limit: 2 })).toEqual({ after: "1001", limit: 2 });
  });

  it.each(["", "0", "0020", "-1", "1.5", "1e3", "abc", "9007199254740993", "9999999999999999"])(
    "listBusinessesSchema refuses the cursor %j, which is no id and would restart the list",
    (after) => {
      expect(listBusinessesSchema.safeParse({ after }).success).toBe(false);
    },
  );

  it.each([0, 101, 1.5])("listBusinessesSchema refuses a page of %s", (limit) => {
    expect(listBusinessesSchema.safeParse({ limit }).success).toBe(false);
  });
});

describe("setTier", () => {
  it("setTier moves a business to another tier", async () => {
    const { context, store } = await accessWorld();
    expect((await setTier(context, "1", "PREMIUM"))._unsafeUnwrap()).toEqual({ id: "1", tier: "PREMIUM" });
    expect(await store.findBusiness("1")).toMatchObject({ tier: "PREMIUM" });
  });

  it("setTier refuses an unknown business and an unknown tier", async () => {
    const { context } = await accessWorld();
    expect((await setTier(context, "99", "PREMIUM"))._unsafeUnwrapErr()).toMatchObject({ kind: "not-found", id: "99" });
    expect(tierSchema.safeParse("GOLD").success).toBe(false);
  });
});
