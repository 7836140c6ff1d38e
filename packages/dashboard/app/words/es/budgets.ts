import type { Words } from "../en.js";

export const budgets: Words["budgets"] = {};
