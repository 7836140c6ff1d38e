import type { Words } from "../en.js";

export const palette: Words["palette"] = {};
