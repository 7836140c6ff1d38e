import { z } from "zod";
import { isCurrency } from "./currency.js";
import { parseWireDate, type WireDate } from "./dates.js";
import { decimalPlaces } from "./decimal.js";
import { isEmailAddress } from "./email-address.js";
import { DEFAULT_PAGE_LIMIT, MAX_PAGE_LIMIT } from "./page.js";

/** The version of the interface, over HTTP and in callbacks. Source: contract, Versioning, rule 2. */
export const API_VERSION = "1.1.0";

/** The largest sizes in a request. */
export const SIZES = {
  items: 500,
  name: 255,
  description: 2_000,
  unit: 20,
  descriptions: 65_536, // of one budget, together
  notes: 10_000,
  search: 200,
  email: 254,
  reference: 255,
  metadataKeys: 50,
  metadataBytes: 16 * 1024,
  id: 64,
} as const;

/** An address with http or https, without white space and backslashes. */
export const HTTP_URL = /^https?:\/\/[^\s\\]+$/i;

const HTTPS_URL = /^https:\/\/[^\s\\]+$/i;

/** Where a customer pays. It becomes a link of the customer's page. */
export const paymentUrl = z
  .string()
  .max(2_048)
  .regex(HTTPS_URL, { error: "must be an address with https", abort: true })
  .refine((text) => URL.canParse(text), {
    message: "must be an address with https",
    params: { code: "INVALID_FORMAT" },
  });

const MAX_DECIMALS = 6;
const HOST_ID = /^[A-Za-z0-9._:-]*$/;
const QUERY_INTEGER = /^\d{1,9}$/;
const QUERY_NUMBER = /^-?\d{1,16}(\.\d{1,6})?$/;

/** A date-time or a plain date. The operation knows the time zone and makes a moment of it. */
export const wireDate = z
  .string()
  .transform((text, context): WireDate => {
    const date = parseWireDate(text);
    if (date !== null) return date;
    context.addIssue({
      code: "custom",
      message: "must be a date such as 2026-03-02, or a date-time such as 2026-03-02T09:30:00Z, from 2000 to 2199",
      params: { code: "INVALID_FORMAT" },
    });
    return z.NEVER;
  })
  .describe("A date-time of RFC 3339, or a plain date. Without an offset, in the time zone of the business.");

export const currencyCode = z
  .string()
  .refine(isCurrency, { message: "must be an ISO 4217 code in upper case", params: { code: "INVALID_VALUE" } })
  .describe("An ISO 4217 code in upper case.");

/**
 * The one rule of addresses: of customers, users, businesses and mails. OpenAPI has no format for it: by `email` validators
 * refuse letters beyond ASCII, and strict ones do not know `idn-email`.
 */
export const emailAddress = z
  .string()
  .max(SIZES.email)
  .refine(isEmailAddress, { message: "must be an email address", params: { code: "INVALID_FORMAT" } })
  .describe("An email address. It may have letters of every script.");

/** An id that the host can choose: of a customer, product, variant or package. */
export const hostId = z.string().min(1).max(SIZES.id).regex(HOST_ID, "This may have letters, digits and . _ : - only.");

/** An id as a number, in the public-creation shape: 1042 is the id "1042". */
export const numericId = z
  .number()
  .int()
  .min(1)
  .max(Number.MAX_SAFE_INTEGER)
  .transform((id) => String(id));

const AMOUNT = "In the currency's major unit, with no more decimals than that has.";

/** A number with at most six decimals. Minus zero becomes zero. */
const exactNumber = z
  .number()
  .overwrite((value) => (value === 0 ? 0 : value))
  .refine((value) => decimalPlaces(value) <= MAX_DECIMALS, {
    message: `must have at most ${MAX_DECIMALS} decimals`,
    params: { code: "INVALID_FORMAT" },
  });

export const quantity = exactNumber.gt(0).describe("At most 6 decimals.");
export const quantityOrNone = exactNumber.min(0).describe("At most 6 decimals.");
export const unitPrice = exactNumber.min(0).describe("In the currency's major unit, with at most 6 decimals.");

/** An amount of money. The operation knows the currency and checks the number of decimals. */
export const amount = exactNumber.min(0).describe(AMOUNT);

export const positiveAmount = exactNumber.gt(0).describe(AMOUNT);

export const taxRate = z
  .number()
  .min(0)
  .max(1, "This must be at most 1: 21 % is 0.21.")
  .overwrite((value) => (value === 0 ? 0 : value))
  .describe("A fraction: 0.21 is 21 %.");

export const terms = z.string().min(1).max(SIZES.notes);
export const notes = z.string().max(SIZES.notes);
export const description = z.string().min(1).max(SIZES.description);
export const reason = z.string().min(1).max(SIZES.description);

export const metadata = z
  .record(z.string(), z.unknown())
  .refine((value) => Object.keys(value).length <= SIZES.metadataKeys, {
    message: `must have at most ${SIZES.metadataKeys} keys`,
    params: { code: "MAX_LENGTH" },
  })
  .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= SIZES.metadataBytes, {
    message: `must be at most ${SIZES.metadataBytes} bytes of JSON`,
    params: { code: "MAX_LENGTH" },
  })
  .describe(`The client's own: at most ${SIZES.metadataKeys} keys and ${SIZES.metadataBytes} bytes of JSON.`);

/** `wire` is the type in the OpenAPI description, where the schema alone would describe a string. */
export function queryInteger(min: number, max: number, fallback: number) {
  return z
    .string()
    .regex(QUERY_INTEGER, "must be a whole number in digits")
    .transform(Number)
    .pipe(z.number().int().min(min).max(max))
    .default(fallback)
    .meta({ wire: { type: "integer", minimum: min, maximum: max, default: fallback } });
}

/** A number in a query string, in plain decimal notation. */
export const queryNumber = z
  .string()
  .regex(QUERY_NUMBER, "must be a number in digits, with at most 6 decimals")
  .transform(Number)
  .meta({ wire: { type: "number" } });

/** A boolean in a query string. */
export const queryFlag = z
  .enum(["true", "false"])
  .transform((text) => text === "true")
  .default(false)
  .meta({ wire: { type: "boolean", default: false } });

/** `page` and `limit` of a list. Source: contract, Limits. */
export const pageQuery = {
  page: queryInteger(1, 1_000_000, 1),
  limit: queryInteger(1, MAX_PAGE_LIMIT, DEFAULT_PAGE_LIMIT),
};

export const pageQuerySchema = z.object(pageQuery);

export const timestampView = z.iso.datetime();

export const paginationSchema = z
  .object({
    /** Number of the page, from 1. */
    page: z.int(),
    /** Entries per page at most. */
    limit: z.int(),
    /** Entries in all pages. */
    total: z.int(),
    /** Number of pages. */
    totalPages: z.int(),
    /** True when a further page exists. */
    hasMore: z.boolean(),
  })
  .meta({ id: "Pagination" });

/** The pagination of a list that also supports cursors. */
export const cursorPaginationSchema = paginationSchema
  .extend({
    /** For the next page; null on the last. */
    nextCursor: z.string().nullable().describe("For the next page; null on the last."),
    /** Only in a search: the count stopped early, so the list has at least total entries. */
    totalIsLowerBound: z
      .literal(true)
      .optional()
      .describe("Only in a search: the count stopped early, so the list has at least total entries."),
  })
  .meta({ id: "CursorPagination" });
