import type { Words } from "../en.js";

export const budget: Words["budget"] = {};
