export const WEBHOOK_TABLES = "";

export const WEBHOOK_FUNCTIONS = "";

export const WEBHOOK_CALLS: readonly string[] = [];
