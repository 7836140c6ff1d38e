import type { Words } from "../en.js";

export const catalog: Words["catalog"] = {};
