import { z } from "zod";
import { traceStepSchema } from "./totals-trace-view-schema.js";

export const budgetPreviewSchema = z
  .object({
    currency: z.string(),
    subtotal: z.number(),
    discount: z.number(),
    tax: z.number(),
    total: z.number(),
    items: z.array(
      z.object({
        description: z.string(),
        quantity: z.number(),
        unitPrice: z.number(),
        total: z.number(),
        discount: z.number(),
        tax: z.number(),
      }),
    ),
    trace: z.array(traceStepSchema),
  })
  .meta({ id: "BudgetPreview" });
