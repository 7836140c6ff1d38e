import type { DocumentedOperation } from "../operations/documented-answers.js";
import type { ShownRequest } from "../operations/documented-exchange.js";

/** A request as the document shows it, and the status that it shows for it. */
export interface ShownCase extends ShownRequest {
  readonly operationId: string;
  readonly accept: string | null;
  readonly expected: number;
}

/** The example of an operation, once for each type that its body may have and each that its answer may have. */
export function shownRequests(operation: DocumentedOperation): ShownCase[] {
  const { operationId, method, path: pattern, parameters, requestBody, responses, security } = operation;
  const of = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const examples = (place: string) =>
    Object.fromEntries(
      of(place).flatMap(({ name, example, examples }) => {
        const value = example ?? examples?.any?.value;
        return value === undefined ? [] : [[name, String(value)]];
      }),
    );
  const success = Object.entries(responses).filter(([status]) => Number(status) < 300);
  const [expected = "", response] = success[success.length - 1] ?? [];
  const isPage = response?.content?.["text/html"] !== undefined || responses["303"] !== undefined;
  const bodies = Object.entries(requestBody?.content ?? {});
  const credential = security[0] === undefined ? null : "apiKey" in security[0] ? "apiKey" : "login";
  return (bodies.length === 0 ? [[null, undefined] as const] : bodies).flatMap(([mediaType, media]) =>
    [null, ...(isPage ? ["text/html"] : [])].map((accept): ShownCase => {
      const headers = { ...examples("header"), ...(accept === null ? {} : { accept }) };
      const shown = { method, pattern, path: examples("path"), query: examples("query"), headers };
      return { ...shown, operationId, mediaType, body: media?.example, credential, accept, expected: Number(expected) };
    }),
  );
}
