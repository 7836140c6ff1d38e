import { z } from "zod";
import { fieldChangeSchema } from "../events/field-change.js";
import { itemChangeSchemas } from "./item-changes.js";

/** One difference between two versions of a budget. */
export const budgetChangeSchema = z
  .discriminatedUnion("kind", [fieldChangeSchema, ...itemChangeSchemas])
  .meta({ id: "BudgetChange" });
export type BudgetChange = z.infer<typeof budgetChangeSchema>;
