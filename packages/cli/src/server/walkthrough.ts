import type { FirstOwner, FirstPassword } from "./first-start.js";

const SAMPLE =
  '{"customer":{"name":"Ana Ruiz","email":"ana@example.com"},"taxRate":0.21,"items":[{"description":"Oak table","quantity":1,"unitPrice":450},{"description":"Chair","quantity":4,"unitPrice":79.5}]}';

/** Lines to paste into a POSIX shell: they log in, create a key and a budget, and print the link of its customer. */
export function walkthrough(url: string, { email, password }: FirstOwner): string {
  return `API=${url}/v1
EMAIL=${quote(email)}
${passwordLine(password)}
first() { tr ',{' '\\n\\n' | sed -n 's/^"'"$1"'":"\\([^"]*\\)".*/\\1/p' | head -n 1; }

TOKEN=$(curl -fsS "$API/auth/login" -H 'Content-Type: application/json' \\
  -d "{\\"email\\":\\"$EMAIL\\",\\"password\\":\\"$PASSWORD\\"}" | first access_token)

KEY=$(curl -fsS "$API/api-keys" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"name":"first key","scopes":["READ_BUDGETS","WRITE_BUDGETS","WRITE_CUSTOMERS"]}' | first key)

ID=$(curl -fsS "$API/api/public/budgets" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '${SAMPLE}' | first id)

curl -fsS "$API/api/public/budgets?status=PENDING" -H "Authorization: Bearer $KEY"; echo

LINK=$(curl -fsS -X POST "$API/api/public/budgets/$ID/public-link" -H "Authorization: Bearer $KEY" | first publicUrl)
echo "API key: $KEY"
echo "Open in a browser: $LINK"`;
}

/** A line for the same shell that approves the budget in place of its customer. */
export const approval = `curl -fsS -X PUT "$API/api/public/budgets/$ID" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '{"status":"APPROVED"}'; echo`;

/** A password that the environment gave is not printed; within JSON its quotes and backslashes are escaped. */
function passwordLine(password: FirstPassword): string {
  if (password.kind === "shown") return `PASSWORD=${quote(password.password)}`;
  if (password.kind === "file") return `PASSWORD=$(cat ${quote(password.path)})`;
  return `PASSWORD=$(printf %s "$BUDGETKIT_ADMIN_PASSWORD" | sed 's/[\\\\"]/\\\\&/g')`;
}

/** Quotes any text as one word of a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
