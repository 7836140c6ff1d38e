import type { Words } from "../en.js";

export const integrations: Words["integrations"] = {};
