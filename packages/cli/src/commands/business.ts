import { readFile } from "node:fs/promises";
import {
  type Business,
  directoryBlobStore,
  type StorageView,
  TIERS,
  type Tier,
  type UpdateBusiness,
} from "@budgetkit/core";
import { z } from "zod";
import { lazyPdfDocuments } from "../server/lazy-pdf.js";
import { attachmentsFolder } from "../settings/attachments-folder.js";
import { printable } from "../terminal/complaint.js";
import { StartFailure, UsageError } from "../terminal/failures.js";
import { orRefuse } from "../terminal/problem-text.js";
import { defineCommand, defineGroup, needed } from "./define-command.js";
import { actorIn, type Operator, withService } from "./operator.js";

const create = () =>
  defineCommand({
    usage: "create",
    summary: "make a business",
    about: "Makes a business and prints its id, which other commands take as --business.",
    examples: ["budgetkit business create --name Carpentry --time-zone America/Lima --tier PREMIUM"],
    settings: ["DATABASE_URL"],
    flags: [
      ["--name <text>", "its name, which stands above its public budgets"],
      ["--tier <tier>", `${TIERS.join(", ")}; STANDARD by default`],
      ["--time-zone <name>", "an IANA time zone, in which plain dates are read; UTC by default"],
    ],
    run: async ({ settings, flags, report }) => {
      const input = flags(z.object({ name: needed, tier: z.string().optional(), timeZone: z.string().optional() }));
      const { tier, ...given } = input;
      const chosen = tier === undefined ? {} : { tier: tierOf(tier) };
      await withService(settings(), async ({ service }) => {
        const made = orRefuse(await service.businesses.create({ ...given, ...chosen }));
        const { id, name } = made;
        report.result(
          { ...made, createdAt: new Date(made.createdAt).toISOString() },
          `The business ${name} has the id ${id}.`,
        );
      });
    },
  });

const list = () =>
  defineCommand({
    usage: "list",
    summary: "list the businesses",
    about: "Lists the businesses in the order of their ids: id, tier, time zone and name.",
    examples: ["budgetkit business list", "budgetkit business list --json | jq -r '.[].id'"],
    settings: ["DATABASE_URL"],
    run: async ({ settings, report }) => {
      await withService(settings(), async ({ service }) => {
        const businesses: Business[] = [];
        for (;;) {
          const next = orRefuse(await service.businesses.list({ after: businesses.at(-1)?.id ?? null }));
          if (next.length === 0) break;
          businesses.push(...next);
        }
        const listed = businesses.map((each) => ({ ...each, createdAt: new Date(each.createdAt).toISOString() }));
        report.result(listed, businesses.map(lineOf).join("\n") || "There is no business yet.");
      });
    },
  });

/** The flags of the profile: a text sets the field of the same name, an empty one clears it. */
const PROFILE_FLAGS = {
  name: "its name, which stands above its public budgets",
  timeZone: "an IANA time zone, in which plain dates are read",
  legalName: "the registered name",
  taxId: "the number of the tax authority",
  address: "the postal address",
  email: "for questions of customers",
  phone: "the phone number",
  website: "the address of the website",
  accentColor: "the color of its documents, such as #0b6e4f",
  locale: "the language of its documents, such as es-AR",
  currency: "the currency of new budgets that name none",
  terms: "the terms below every budget",
  paymentInstructions: "how to pay, shown after the acceptance",
  footer: "the last lines of every document",
  numberPattern: "how budgets are numbered, such as Q-{year}-{seq:4}",
  reminderDays: "when a mailed budget has reminders, in days before its end, such as 7,1",
  paymentUrl: "where customers pay, with https; a budget may have its own",
  linkPreview: "what previews of the customer's link name: name, total or name,total",
  mails: `which acts are notified by mail, as JSON, such as {"seller":{"viewed":true}}`,
  taxes: `the taxes that budgets and products name, as JSON, such as [{"id":"iva","rate":0.21,"default":true}]`,
  requireSecondFactor: "whether users without a second factor may only enrol one: true or false",
} as const satisfies Record<keyof UpdateBusiness, string>;

const PROFILE_FIELDS = Object.keys(PROFILE_FLAGS);

const update = () =>
  defineCommand({
    usage: "update <id>",
    summary: "change the name and the profile of a business",
    about: "Changes what is given. An empty text clears a field: --phone ''.",
    examples: ["budgetkit business update 1001 --name Carpentry --accent-color '#0b6e4f' --currency ARS"],
    settings: ["DATABASE_URL"],
    flags: Object.entries(PROFILE_FLAGS).map(([field, meaning]) => [`--${kebab(field)} <text>`, meaning] as const),
    run: async ({ args: [id = ""], settings, flags, report }) => {
      const given = flags(z.partialRecord(z.enum(PROFILE_FIELDS), z.string()));
      if (Object.keys(given).length === 0) throw new UsageError("Give at least one flag, such as --name.");
      const input = Object.fromEntries(
        Object.entries(given).map(([field, text]) => [field, text === "" ? null : flagValue(field, text)]),
      );
      await withService(settings(), async ({ service }) => {
        const changed = orRefuse(await service.businesses.update(await actorIn(service, id), input));
        report.result(changed, `The business ${printable(changed.name)} was changed.`);
      });
    },
  });

/** The days of reminders are a list; what is no number is refused with the rest of the input. */
function flagValue(field: string, text = ""): unknown {
  if (field === "mails" || field === "taxes" || field === "requireSecondFactor") return jsonIn(field, text);
  if (field === "reminderDays") return text.split(",").map(Number);
  return field === "linkPreview" ? linkPreviewOf(text.split(",")) : text;
}

function linkPreviewOf(shown: readonly string[]) {
  const unknown = shown.find((each) => each !== "name" && each !== "total");
  if (unknown !== undefined) throw new UsageError(`--link-preview takes name, total or both, not ${unknown}.`);
  return { showsName: shown.includes("name"), showsTotal: shown.includes("total") };
}

function jsonIn(field: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`--${field} takes JSON.`);
  }
}

const setTier = () =>
  defineCommand({
    usage: "set-tier <id> <tier>",
    summary: "move a business to another tier",
    about:
      `Moves a business to another tier: ${TIERS.join(", ")}. It bounds the rates that its keys may be given; keys that ` +
      "there are keep theirs.",
    examples: ["budgetkit business set-tier 1001 PREMIUM"],
    settings: ["DATABASE_URL"],
    run: async ({ args: [id = "", tier = ""], settings, report }) => {
      const wanted = tierOf(tier);
      await withService(settings(), async ({ service }) => {
        const moved = orRefuse(await service.businesses.setTier(id, wanted));
        report.result(moved, `The business ${id} is ${wanted} now.`);
      });
    },
  });

const storage = () =>
  defineCommand({
    usage: "storage <id>",
    summary: "show what a business stores, and its quota",
    about:
      "Shows the budgets and the bytes that a business stores, beside its quota. Bytes are those of budgets, their " +
      "revisions, events, attached files and webhook deliveries.",
    examples: ["budgetkit business storage 1001", "budgetkit business storage 1001 --json | jq .bytes.used"],
    settings: ["DATABASE_URL", "BUDGETKIT_MAX_BUDGETS", "BUDGETKIT_MAX_BYTES"],
    run: async ({ args: [id = ""], settings, report }) => {
      await withService(settings(), async ({ service }) => {
        const found = await service.businesses.storage(id);
        if (found === null) throw new StartFailure(`There is no business ${id}.`);
        const lines = [`budgets: ${shareText(found.budgets)}`, `bytes: ${shareText(found.bytes)}`];
        report.result(found, lines.join("\n"));
      });
    },
  });

const logo = () =>
  defineCommand({
    usage: "logo <id> <file>",
    summary: "set the logo of a business",
    about: "Sets the logo that the documents of a business show: a PNG, a JPEG or an SVG of at most 512 KiB.",
    examples: ["budgetkit business logo 1001 logo.svg"],
    settings: ["DATABASE_URL", "BUDGETKIT_ATTACHMENTS_DIR"],
    run: async ({ args: [id = "", file = ""], settings, report }) => {
      const given = settings();
      const content = await readFile(file).catch((error: Error) => {
        throw new StartFailure(`${file} cannot be read: ${error.message}`);
      });
      const folder = attachmentsFolder(given);
      const blobs = folder === null ? {} : { blobs: directoryBlobStore(folder.path) };
      const set = async ({ service }: Operator) => {
        const changed = orRefuse(await service.businesses.setLogo({ kind: "system", businessId: id }, content));
        report.result(
          changed,
          `The business ${printable(changed.name)} has a logo of ${changed.logo?.size ?? 0} bytes.`,
        );
      };
      await withService(given, set, { ...blobs, pdf: lazyPdfDocuments() });
    },
  });

export const businessCommands = () =>
  defineGroup("business", "make, list and change businesses, show their storage", [
    create(),
    list(),
    update(),
    logo(),
    setTier(),
    storage(),
  ]);

function shareText({ used, limit }: StorageView["budgets"]): string {
  return `${used} of ${limit ?? "unlimited"}`;
}

function lineOf({ id, tier, timeZone, name }: Business): string {
  return [id, tier, timeZone, printable(name)].join("  ");
}

function tierOf(text: string): Tier {
  const tier = TIERS.find((each) => each === text);
  if (tier === undefined) throw new UsageError(`The tier must be one of ${TIERS.join(", ")}.`);
  return tier;
}

/** `taxId` as `tax-id`. */
function kebab(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
