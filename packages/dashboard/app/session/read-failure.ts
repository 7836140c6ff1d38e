import { BudgetkitError } from "@budgetkit/client";

interface ErrorBody {
  readonly error?: { readonly code?: string; readonly message?: string };
  readonly code?: string;
  readonly detail?: string;
}

/** The error of a call of this mount that is no operation of the service. */
export async function readFailure(response: Response): Promise<BudgetkitError> {
  const body: ErrorBody = await response.json().catch(() => ({}));
  const code = body.error?.code ?? body.code ?? "UNEXPECTED_ANSWER";
  const message = body.error?.message ?? body.detail ?? `The service answered ${response.status}.`;
  const requestId = response.headers.get("x-request-id");
  return new BudgetkitError({ status: response.status, code, message, requestId });
}
