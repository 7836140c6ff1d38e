import { type ApiKeyView, SCOPES } from "@budgetkit/core";
import { z } from "zod";
import { printable } from "../terminal/complaint.js";
import { orRefuse } from "../terminal/problem-text.js";
import { type CommandCall, commaList, defineCommand, defineGroup, needed } from "./define-command.js";
import { actorIn, withService } from "./operator.js";

const BUSINESS = ["--business <id>", "the business that the key belongs to"] as const;
const inBusiness = z.object({ business: needed });
const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, "must be a whole number")
  .transform(Number);

const create = () =>
  defineCommand({
    usage: "create",
    summary: "make an API key, which is shown once",
    about: `Makes an API key and prints it. This is the only time that it is shown. Scopes: ${SCOPES.join(", ")}.`,
    examples: [
      "budgetkit key create --business 1001 --name shop --scopes READ_BUDGETS,WRITE_BUDGETS",
      "KEY=$(budgetkit key create --business 1001 --name shop --scopes READ_BUDGETS --json | jq -r .key)",
    ],
    settings: ["DATABASE_URL"],
    flags: [
      BUSINESS,
      ["--name <text>", "what the key is for"],
      ["--scopes <list>", "what it may do, separated by commas"],
      ["--rate-limit <number>", "requests an hour; what the tier gives by default"],
      ["--allowed-ips <list>", "addresses or CIDR ranges that may use it, separated by commas; all by default"],
      ["--expires-at <date>", "until when it works; for ever by default"],
    ],
    run: async (call) => {
      const { business, name, scopes, rateLimit, allowedIps, expiresAt } = call.flags(
        inBusiness.extend({
          name: needed,
          scopes: z
            .string("is missing")
            .pipe(commaList)
            .pipe(z.array(z.enum(SCOPES, `must be of ${SCOPES.join(", ")}`))),
          rateLimit: wholeNumber.optional(),
          allowedIps: commaList.optional(),
          expiresAt: z.string().optional(),
        }),
      );
      const input = {
        name,
        scopes,
        ...(rateLimit === undefined ? {} : { rateLimitPerHour: rateLimit }),
        ...(allowedIps === undefined ? {} : { allowedIps }),
        ...(expiresAt === undefined ? {} : { expiresAt }),
      };
      await withService(call.settings(), async ({ service }) => {
        const made = orRefuse(await service.keys.create(await actorIn(service, business), input));
        const { webhookSecret: _, ...key } = made; // unused without a webhookUrl
        call.report.result(key, key.key);
        call.report.note(`The key ${key.id} is shown this once.`);
      });
    },
  });

const list = () =>
  defineCommand({
    usage: "list",
    summary: "list the API keys of a business",
    about: "Lists the keys of a business, newest first: id, beginning, status, scopes and name.",
    examples: ["budgetkit key list --business 1001", "budgetkit key list --business 1001 --json | jq -r '.[].id'"],
    settings: ["DATABASE_URL"],
    flags: [BUSINESS],
    run: async (call) => {
      const { business } = call.flags(inBusiness);
      await withService(call.settings(), async ({ service }) => {
        const actor = await actorIn(service, business);
        const keys: ApiKeyView[] = [];
        for (let page = 1; ; page += 1) {
          const found = orRefuse(await service.keys.list(actor, { page, limit: 100 }));
          keys.push(...found.data);
          if (keys.length >= found.pagination.total || found.data.length === 0) break;
        }
        call.report.result(keys, keys.length === 0 ? "The business has no keys." : keys.map(lineOf).join("\n"));
      });
    },
  });

function lineOf({ id, keyPrefix, status, scopes, name }: ApiKeyView): string {
  return `${id}  ${keyPrefix}…  ${status.padEnd(8)}  ${scopes.join(",")}  ${printable(name)}`;
}

const revoke = () =>
  defineCommand({
    usage: "revoke <id>",
    summary: "revoke an API key, at once and for good",
    about: "Revokes a key: from now on no request with it is answered. It cannot be taken back.",
    examples: ["budgetkit key revoke 1000000010 --business 1001"],
    settings: ["DATABASE_URL"],
    flags: [BUSINESS],
    run: (call) =>
      changeKey(call, async ({ service, actor, id }) => {
        const revoked = orRefuse(await service.keys.revoke(actor, id));
        call.report.result(revoked, `The key ${id} is revoked.`);
      }),
  });

const rotate = () =>
  defineCommand({
    usage: "rotate <id>",
    summary: "put a new API key in the place of one, which is shown once",
    about:
      "Makes a new key under the same id and prints it, which nothing does again. The old one works for a grace, or not at all.",
    examples: ["budgetkit key rotate 1000000010 --business 1001 --grace-seconds 3600"],
    settings: ["DATABASE_URL"],
    flags: [BUSINESS, ["--grace-seconds <number>", "how long the old key still works; default 0"]],
    run: (call) =>
      changeKey(call, async ({ service, actor, id }) => {
        const { graceSeconds } = call.flags(z.object({ graceSeconds: wholeNumber.default(0) }));
        const rotated = orRefuse(await service.keys.regenerate(actor, id, { gracePeriodSeconds: graceSeconds }));
        call.report.result(rotated, rotated.key);
        call.report.note(`The key ${id} is shown this once.`);
      }),
  });

export const keyCommands = () =>
  defineGroup("key", "make, list, revoke and rotate API keys", [create(), list(), revoke(), rotate()]);

interface KeyChange {
  readonly service: Parameters<typeof actorIn>[0];
  readonly actor: Awaited<ReturnType<typeof actorIn>>;
  readonly id: string;
}

/** Opens the business of the flags for a change of the given key. */
async function changeKey(call: CommandCall, change: (key: KeyChange) => Promise<void>): Promise<void> {
  const { business } = call.flags(inBusiness);
  const [id = ""] = call.args;
  await withService(call.settings(), async ({ service }) => {
    await change({ service, actor: await actorIn(service, business), id });
  });
}
