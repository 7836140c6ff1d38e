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

export const ledgerCommands = () => defineGroup("ledger", "sign checkpoints of the ledger", [checkpoint()]);
