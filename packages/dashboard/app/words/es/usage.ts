import type { Words } from "../en.js";

export const usage: Words["usage"] = {};
