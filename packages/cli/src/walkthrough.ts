import type { FirstOwner } from "./first-start.js";

const SAMPLE =
  '{"customerId":"ana","taxRate":0.21,"items":[{"description":"Oak table","quantity":1,"unitPrice":450},{"description":"Chair","quantity":4,"unitPrice":79.5}]}';

/** Lines for a POSIX shell, to be pasted as they are: from a login to a budget that its customer can see and answer. */
export function walkthrough(url: string, { email, newPassword }: FirstOwner): string {
  return `API=${url}/v1
EMAIL=${quote(email)}
${passwordLine(newPassword)}
first() { tr ',{' '\\n\\n' | sed -n 's/^"'"$1"'":"\\([^"]*\\)".*/\\1/p' | head -n 1; }

TOKEN=$(curl -fsS "$API/auth/login" -H 'Content-Type: application/json' \\
  -d "{\\"email\\":\\"$EMAIL\\",\\"password\\":\\"$PASSWORD\\"}" | first access_token)

KEY=$(curl -fsS "$API/api-keys" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"name":"first key","scopes":["READ_BUDGETS","WRITE_BUDGETS"]}' | first key)

ID=$(curl -fsS "$API/api/public/budgets" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '${SAMPLE}' | first id)

curl -fsS "$API/api/public/budgets?status=PENDING" -H "Authorization: Bearer $KEY"; echo

LINK=$(curl -fsS -X POST "$API/api/public/budgets/$ID/public-link" -H "Authorization: Bearer $KEY" | first publicUrl)
echo "API key: $KEY"
echo "Open in a browser: $LINK"`;
}

/** What answers the budget in the place of its customer, in the same shell. */
export const approval = `curl -fsS -X PUT "$API/api/public/budgets/$ID" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '{"status":"APPROVED"}'; echo`;

/** A password that the environment gave is not printed; within JSON its quotes and backslashes are escaped. */
function passwordLine(newPassword: string | null): string {
  if (newPassword !== null) return `PASSWORD=${quote(newPassword)}`;
  return `PASSWORD=$(printf %s "$BUDGETKIT_ADMIN_PASSWORD" | sed 's/[\\\\"]/\\\\&/g')`;
}

/** One word of a shell, whatever is in it. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
