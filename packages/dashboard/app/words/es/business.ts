import type { Words } from "../en.js";

export const business: Words["business"] = {};
