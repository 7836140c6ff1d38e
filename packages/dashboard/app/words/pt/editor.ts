import type { Words } from "../en.js";

export const editor: Words["editor"] = {};
