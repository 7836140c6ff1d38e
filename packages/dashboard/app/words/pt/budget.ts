import { budget as english } from "../en/budget.js";

export const budget = english;
