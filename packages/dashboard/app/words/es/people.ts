import type { Words } from "../en.js";

export const people: Words["people"] = {};
