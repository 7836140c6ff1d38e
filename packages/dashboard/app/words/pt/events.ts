import type { Words } from "../en.js";

export const events: Words["events"] = {};
