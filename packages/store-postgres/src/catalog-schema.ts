export const CATALOG_TABLES = "";

export const CATALOG_FUNCTIONS = "";

export const CATALOG_CALLS: readonly string[] = [];
