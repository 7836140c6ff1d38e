/** The version of the interface, over HTTP and in callbacks. Source: contract, Versioning, rule 2. */
export const API_VERSION = "1.1.0";
