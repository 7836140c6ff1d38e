export const USAGE_TABLES = "";

export const USAGE_FUNCTIONS = "";

export const USAGE_CALLS: readonly string[] = [];
