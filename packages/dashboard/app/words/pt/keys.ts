import type { Words } from "../en.js";

export const keys: Words["keys"] = {};
