import { writeFile } from "node:fs/promises";
import { directoryBlobStore } from "@budgetkit/core";
import { z } from "zod";
import { lazyPdfDocuments } from "../server/lazy-pdf.js";
import { attachmentsFolder } from "../settings/attachments-folder.js";
import { StartFailure } from "../terminal/failures.js";
import { orRefuse } from "../terminal/problem-text.js";
import { defineCommand, defineGroup, needed } from "./define-command.js";
import { actorIn, withService } from "./operator.js";

const LANGUAGES = ["en", "es", "pt", "de", "fr", "it", "nl", "ja", "ar", "he"] as const;

const pdfFlags = z.object({
  business: needed,
  output: z.string().min(1, "is empty").optional(),
  lang: z.enum(LANGUAGES, `must be one of ${LANGUAGES.join(", ")}`).optional(),
});

const pdf = () =>
  defineCommand({
    usage: "pdf <id>",
    summary: "write a budget as PDF",
    about:
      "Writes a budget as PDF, as its customer sees it. Only its owner may read a new file; an existing one is replaced.",
    examples: ["budgetkit budget pdf 1000000037 --business 1001 --output quote.pdf"],
    settings: ["DATABASE_URL", "BUDGETKIT_ATTACHMENTS_DIR"],
    flags: [
      ["--business <id>", "the business"],
      ["--output <file>", "where to; by default its own name, such as Quote-42.pdf, in this folder"],
      ["--lang <language>", `${LANGUAGES.join(", ")}; by default that of the business`],
    ],
    run: async ({ args: [id = ""], settings, flags, report }) => {
      const { business, output, lang } = flags(pdfFlags);
      const given = settings();
      const folder = attachmentsFolder(given);
      const blobs = folder === null ? {} : { blobs: directoryBlobStore(folder.path) };
      const written = await withService(
        given,
        async ({ service }) => {
          const actor = await actorIn(service, business);
          const made = await service.budgets.renderPdf(actor, id, lang === undefined ? {} : { lang });
          const { fileName, content, sha256 } = orRefuse(made);
          const path = output ?? fileName;
          await writeFile(path, content, { mode: 0o600 }).catch((error: Error) => {
            throw new StartFailure(`${path} cannot be written: ${error.message}`);
          });
          return { output: path, bytes: content.byteLength, sha256 };
        },
        { ...blobs, pdf: lazyPdfDocuments() },
      );
      report.result(written, `${written.bytes} bytes written to ${written.output}.`);
    },
  });

export const budgetCommands = () => defineGroup("budget", "write budgets as PDF", [pdf()]);
