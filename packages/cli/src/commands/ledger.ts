import { writeFile } from "node:fs/promises";
import { canonicalJson } from "@budgetkit/core";
import { z } from "zod";
import { checkpointText, keysIn, readCheckpoint } from "../ledger/checkpoint-file.js";
import { defineCommand, defineGroup, needed } from "./define-command.js";
import { actorIn, withService } from "./operator.js";

const checkpointFlags = z.object({ business: needed, output: needed });

const checkpoint = () =>
  defineCommand({
    usage: "checkpoint",
    summary: "write a signed checkpoint of the ledger of a business",
    about:
      "Writes which entry of the ledger is the last one now, with its hash, signed. Keep it away from the database: with " +
      "it, budgetkit doctor --ledger finds what was changed or removed together with all later hashes.",
    examples: ["budgetkit ledger checkpoint --business 1001 --output checkpoint.json"],
    settings: ["DATABASE_URL"],
    flags: [
      ["--business <id>", "the business"],
      ["--output <file>", "where to"],
    ],
    run: async ({ settings, flags, report }) => {
      const { business, output } = flags(checkpointFlags);
      await withService(settings(), async ({ service, store }) => {
        const signed = await service.ledger.checkpoint(await actorIn(service, business));
        if (signed.isErr()) throw new Error(signed.error.message);
        await writeFile(output, canonicalJson(signed.value)); // each byte counts: no line end
        const shown = await readCheckpoint(output, await keysIn(store));
        report.result(shown, checkpointText(shown));
      });
    },
  });

const signFlags = z.object({ business: z.string().optional(), again: z.boolean().default(false) });

const signBeginnings = () =>
  defineCommand({
    usage: "sign-beginnings",
    summary: "sign where the chains begin, after an upgrade from before the chained ledger",
    about:
      "An upgrade of the schema records where the chain of each ledger begins that has older entries. Nothing proves those, so " +
      "doctor --ledger refuses the record until it is signed. Run this once after such an upgrade. A ledger that has no " +
      "entries from before the chain never needs it: who can write to the database can add a record. After budgetkit " +
      "signing-key rotate it signs anew, with the current key, what a former key has signed.",
    examples: ["budgetkit ledger sign-beginnings", "budgetkit ledger sign-beginnings --business 1001 --again"],
    settings: ["DATABASE_URL"],
    flags: [
      ["--business <id>", "of this business alone"],
      ["--again", "also what cannot be verified because the secret of its key was removed"],
    ],
    run: async ({ settings, flags, report }) => {
      const { business, again } = flags(signFlags);
      await withService(settings(), async ({ service }) => {
        if (business !== undefined) await actorIn(service, business);
        const signed = await service.ledger.signBeginnings(business ?? null, { again });
        const lines = signed.map(
          ({ businessId, sequence }) =>
            `business ${businessId}: begins with the entry ${sequence}, and nothing proves those before`,
        );
        report.result(signed, lines.length === 0 ? "Nothing to sign." : lines.join("\n"));
      });
    },
  });

export const ledgerCommands = () =>
  defineGroup("ledger", "sign checkpoints and beginnings of the ledger", [checkpoint(), signBeginnings()]);
