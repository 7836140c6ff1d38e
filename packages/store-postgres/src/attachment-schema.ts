export const ATTACHMENT_TABLES = "";

export const ATTACHMENT_FUNCTIONS = "";

export const ATTACHMENT_CALLS: readonly string[] = [];
