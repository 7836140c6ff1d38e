export const ACCESS_TABLES = "";

export const ACCESS_FUNCTIONS = "";

export const ACCESS_CALLS: readonly string[] = [];
