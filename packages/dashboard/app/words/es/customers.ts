import type { Words } from "../en.js";

export const customers: Words["customers"] = {};
