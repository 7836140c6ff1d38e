export const INTEGRATION_TABLES = "";

export const INTEGRATION_FUNCTIONS = "";

export const INTEGRATION_CALLS: readonly string[] = [];
