export const budget = {};
