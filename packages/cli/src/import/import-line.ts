import { z } from "zod";

const record = z.looseObject({ id: z.string(), createdAt: z.iso.datetime() });

/** What an item may have beside a fixed quantity and price. */
const configuration = {
  taxes: z.array(z.string()).optional(),
  optional: z.literal(true).optional(),
  selected: z.boolean().optional(),
  choice: z.string().optional(),
  quantityRange: z.object({ minimum: z.number(), maximum: z.number(), step: z.number() }).optional(),
  priceTiers: z.array(z.object({ from: z.number(), unitPrice: z.number() })).optional(),
  recurring: z
    .object({ interval: z.enum(["week", "month", "year"]), intervalCount: z.int(), cycles: z.int().nullable() })
    .optional(),
  unitCost: z.number().optional(),
};

const item = z.object({
  kind: z.undefined().optional(),
  productId: z.string().optional(),
  variantId: z.string().optional(),
  packageId: z.string().optional(),
  description: z.string(),
  quantity: z.number(),
  unitPrice: z.number(),
  unit: z.string().optional(),
  discountRate: z.number().optional(),
  discountAmount: z.number().optional(),
  ...configuration,
  total: z.number(),
});

const line = z.union([
  item,
  z.object({ kind: z.enum(["heading", "text"]), description: z.string() }),
  z.object({ kind: z.literal("subtotal"), description: z.string().optional(), total: z.number() }),
  z.object({
    kind: z.literal("choice"),
    key: z.string(),
    description: z.string(),
    minimum: z.int(),
    maximum: z.int(),
  }),
]);

/** A tax without its figures, which are computed again. */
const tax = z.object({
  id: z.string(),
  name: z.string(),
  rate: z.number(),
  kind: z.enum(["tax", "withholding"]),
  inclusive: z.boolean(),
  on: z.array(z.string()),
});

const budget = z.object({
  id: z.string(),
  customerId: z.string(),
  status: z.enum(["DRAFT", "PENDING", "APPROVED", "REJECTED", "EXPIRED", "COMPLETED", "ARCHIVED"]),
  number: z
    .string()
    .regex(/^[^\p{C}]{1,80}$/u)
    .optional(),
  terms: z.string().optional(),
  paymentUrl: z.string().optional(),
  currency: z.string(),
  items: z.array(line),
  subtotal: z.number(),
  discount: z.number(),
  tax: z.number(),
  total: z.number(),
  taxRate: z.number().nullable(),
  taxes: z.array(tax).optional(),
  discountAmount: z.number().optional(), // as given; absent = as discount
  deposit: z.object({ rate: z.number().optional(), amount: z.number().optional() }).optional(),
  notes: z.string().nullable(),
  validUntil: z.iso.datetime().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  approvedAt: z.iso.datetime().nullable(),
  publicOffer: z
    .object({ sellerId: z.string(), issueDate: z.iso.datetime(), minimumPaymentToConfirm: z.number() })
    .optional(),
});
export type ImportedLine = z.output<typeof line>;
export type ImportedItem = z.output<typeof item>;
export type ImportedBudget = z.output<typeof budget>;

/** The catalog brings nothing to an imported line: it has what was exported. */
export const NOT_OF_THE_CATALOG = {
  unit: null,
  taxes: null,
  priceTiers: null,
  recurring: null,
  unitCost: null,
} as const;

const payment = z.object({
  budgetId: z.string(),
  reference: z.string(),
  amount: z.number(),
  paidAt: z.iso.datetime(),
  createdAt: z.iso.datetime(),
});
export type ImportedPayment = z.output<typeof payment>;

const message = z.object({
  budgetId: z.string(),
  from: z.enum(["customer", "business"]),
  sentBy: z.string().max(300),
  message: z.string().min(1).max(2_000),
  sentAt: z.iso.datetime(),
});
export type ImportedMessage = z.output<typeof message>;

/** The part of an export line that an import reads; the service checks the content. */
const importLine = z.discriminatedUnion("type", [
  z.object({ type: z.literal("export"), data: z.object({ format: z.literal(1), businessId: z.string() }) }),
  z.object({ type: z.literal("customer"), data: record }),
  z.object({ type: z.literal("product"), data: record }),
  z.object({ type: z.literal("package"), data: record }),
  z.object({ type: z.literal("budget"), data: budget }),
  z.object({ type: z.literal("payment"), data: payment }),
  z.object({ type: z.literal("message"), data: message }),
  z.object({ type: z.enum(["evidence", "event"]), data: z.unknown() }),
]);
export type ImportLine = z.output<typeof importLine>;
export type ImportedRecord = z.output<typeof record>;

/** The line, or its problem in words. */
export function readImportLine(text: string): ImportLine | string {
  const json = parseJson(text);
  if (json === undefined) return "is not JSON";
  const parsed = importLine.safeParse(json);
  if (parsed.success) return parsed.data;
  return parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
