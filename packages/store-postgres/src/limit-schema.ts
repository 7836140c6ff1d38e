export const LIMIT_TABLES = "";

export const LIMIT_FUNCTIONS = "";

export const LIMIT_CALLS: readonly string[] = [];
