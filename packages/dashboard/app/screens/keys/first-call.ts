import { shellText } from "../../formats/shell-text.js";

/** A call that works with the key: it lists budgets. */
export function firstCall(address: string, key: string): string {
  return `curl ${shellText(`${address}/api/public/budgets`)} \\\n  -H ${shellText(`Authorization: Bearer ${key}`)}`;
}
