import type { Words } from "../en.js";

export const webhooks: Words["webhooks"] = {};
