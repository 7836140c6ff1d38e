import { shellText } from "../../formats/shell-text.js";

type CallName = "listBudgets" | "createCustomer" | "createBudget" | "sendLink";

interface FirstCall {
  readonly name: CallName;
  readonly command: string;
}

const KEY = "YOUR_KEY";

/** Calls to paste into a terminal, in the order in which a program needs them. */
export function firstCalls(address: string, currency: string): readonly FirstCall[] {
  const budget = {
    customerId: "CUSTOMER_ID",
    currency,
    items: [{ description: "Website", quantity: 1, unitPrice: 1200 }],
  };
  return [
    { name: "listBudgets", command: callOf(`${address}/api/public/budgets?limit=5`) },
    {
      name: "createCustomer",
      command: callOf(`${address}/api/public/customers`, { name: "Ana", email: "ana@example.com" }),
    },
    { name: "createBudget", command: callOf(`${address}/api/public/budgets`, budget, "my-first-budget") },
    { name: "sendLink", command: callOf(`${address}/api/public/budgets/BUDGET_ID/public-link`, {}) },
  ];
}

function callOf(url: string, body?: object, idempotencyKey?: string): string {
  const headers = [`Authorization: Bearer ${KEY}`];
  if (body !== undefined) headers.push("Content-Type: application/json");
  if (idempotencyKey !== undefined) headers.push(`Idempotency-Key: ${idempotencyKey}`);
  return [
    `curl ${shellText(url)}`,
    ...headers.map((header) => `-H ${shellText(header)}`),
    ...(body === undefined ? [] : [`-d ${shellText(JSON.stringify(body))}`]),
  ].join(" \\\n  ");
}
