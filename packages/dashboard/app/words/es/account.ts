import type { Words } from "../en.js";

export const account: Words["account"] = {};
