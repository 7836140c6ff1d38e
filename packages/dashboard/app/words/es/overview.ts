import type { Words } from "../en.js";

export const overview: Words["overview"] = {};
