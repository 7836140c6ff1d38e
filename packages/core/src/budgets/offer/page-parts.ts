import { z } from "zod";
import { toTimestamp } from "../../kernel/clock.js";
import { timestampView } from "../../kernel/fields.js";
import type { Budget } from "../budget.js";
import type { SharedFile } from "../budget-context.js";
import { publicMessageSchema } from "../message-view.js";

const sharedFile = z.object({
  /** Assigned by the service. */
  id: z.string(),
  /** Name for people to read. */
  fileName: z.string(),
  /** Media type of the content. */
  contentType: z.string(),
  /** Bytes. */
  size: z.int(),
  /** Of the bytes, in hexadecimal. */
  sha256: z.string(),
});

const numberPair = z.tuple([z.number(), z.number()]);

/** A line that differs between two revisions. Numbers are [before, after]. */
const revisedLine = z
  .object({
    /** What happened to the line. */
    change: z.enum(["added", "removed", "changed"]),
    /** Of the line, in the newer revision unless it was removed. */
    description: z.string(),
    /** Before and after; absent = as before. */
    quantity: numberPair.optional().describe("Before and after; absent = as before."),
    /** Before and after, in the currency's major unit; absent = as before. */
    unitPrice: numberPair.optional().describe("Before and after, in the currency's major unit; absent = as before."),
  })
  .meta({ id: "RevisedLine" });

/** What the customer's page has beside the offer. A field is absent where there is nothing of it. */
export const pagePartsSchema = {
  /** The customer's last request for a change, until a new revision answers it; absent = none is open. */
  changeRequest: z
    .object({
      /** The change, in the customer's words. */
      message: z.string(),
      /** Who asked: `customer:` and the name. */
      requestedBy: z.string(),
      /** ISO 8601, in UTC. */
      requestedAt: timestampView,
    })
    .optional()
    .describe("The customer's last request for a change, until a new revision answers it; absent = none is open."),
  /** That the offer was declined; absent = it is not, or nothing more is known. */
  declined: z
    .object({
      /** ISO 8601, in UTC. */
      declinedAt: timestampView,
      /** `customer:` and the name, or `business`. */
      declinedBy: z.string().describe("`customer:` and the name, or `business`."),
      /** Why, in the customer's words; absent = they gave none. */
      reason: z.string().optional().describe("Why, in the customer's words; absent = they gave none."),
    })
    .optional()
    .describe("That the offer was declined; absent = it is not, or nothing more is known."),
  /** Files to download, at `attachments/{id}` below the link; absent = none. */
  attachments: z
    .array(sharedFile)
    .optional()
    .describe("Files to download, at `attachments/{id}` below the link; absent = none."),
  /** The customer's drawn signature as the path of an SVG of 600 by 200; absent = none. */
  signature: z
    .string()
    .optional()
    .describe("The customer's drawn signature as the path of an SVG of 600 by 200; absent = none."),
  /** The last messages of both sides, oldest first; absent = none. */
  messages: z
    .array(publicMessageSchema)
    .optional()
    .describe("The last messages of both sides, with the requests for changes, oldest first; absent = none."),
  /** What differs from the revision that the customer could see before; absent = nothing. */
  revised: z
    .object({
      /** The revision before. */
      from: z.int(),
      /** The revision that is shown. */
      to: z.int(),
      /** When the newer revision was made. ISO 8601, in UTC. */
      at: timestampView,
      /** The new total less the one before, in the currency's major unit. */
      total: z.number().describe("The new total less the one before, in the currency's major unit."),
      /** The lines that differ. */
      lines: z.array(revisedLine),
    })
    .optional()
    .describe("What differs from the revision that the customer could see before; absent = nothing."),
  /** What was accepted before the offer was reopened or revised; absent = nothing. */
  acceptedBefore: z
    .object({
      /** The revision that was accepted. */
      revision: z.int(),
      /** With tax, in the currency's major unit. */
      total: z.number(),
      /** An ISO 4217 code. */
      currency: z.string(),
      /** ISO 8601, in UTC. */
      acceptedAt: timestampView,
      /** `customer:` and the name, or `business`. */
      acceptedBy: z.string().describe("`customer:` and the name, or `business`."),
    })
    .optional()
    .describe("What was accepted before the offer was reopened or revised; absent = nothing."),
};

const pagePartsObject = z.object(pagePartsSchema);
export type PageParts = z.infer<typeof pagePartsObject>;

export function pagePartsOf(budget: Budget, files: readonly SharedFile[]): PageParts {
  const last = budget.changeRequests?.at(-1);
  const isOpen = last !== undefined && last.revision === budget.revision && budget.status === "PENDING";
  const signature = signatureOf(budget);
  return {
    ...(isOpen
      ? { changeRequest: { message: last.message, requestedBy: last.by, requestedAt: toTimestamp(last.at) } }
      : {}),
    ...(files.length === 0
      ? {}
      : {
          attachments: files.map(({ id, fileName, contentType, size, sha256 }) => ({
            id,
            fileName,
            contentType,
            size,
            sha256,
          })),
        }),
    ...(signature === undefined ? {} : { signature }),
  };
}

/** Of the acceptance that stands. One that the business records in the customer's place has none. */
function signatureOf({ acceptance, approvedBy, approvalSignature }: Budget): string | undefined {
  if (acceptance !== null) return acceptance.signature;
  return approvedBy?.startsWith("customer:") === true ? approvalSignature : undefined;
}

/** Characters of a drawn signature. */
export const MAX_SIGNATURE = 8 * 1024;
const NUMBER = "-?\\d{1,4}(?:\\.\\d{1,2})?";
const numbers = (count: number) => ` ${NUMBER}`.repeat(count);
const STEP = `(?:[ML]${numbers(2)}|Q${numbers(4)}|C${numbers(6)})`;
const PATH = new RegExp(`^M${numbers(2)}(?: ${STEP})*$`);

/** A drawn signature: the path of an SVG of 600 by 200, of absolute moves, lines and curves alone. */
export const signature = z
  .string()
  .max(MAX_SIGNATURE)
  .regex(PATH, "must be an SVG path of M, L, Q and C with numbers, such as M 10 20 L 30 40")
  .describe("A drawn signature: the path of an SVG of 600 by 200, such as `M 10 20 L 30 40`.");
