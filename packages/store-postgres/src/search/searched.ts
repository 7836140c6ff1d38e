/** The tables with a search, and the type of their ids. */
export const SEARCHED = { budgets: "bigint", customers: "text", products: "text", packages: "text" } as const;

export type Searched = keyof typeof SEARCHED;
