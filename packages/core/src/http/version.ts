/** The version of the HTTP interface. Source: contract, Versioning, rule 2. */
export const API_VERSION = "1.1.0";
