/** A request that was made of a service and what it was answered, as the document shows them. */
export interface OperationExample {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown; // absent = none
  readonly answer: unknown; // the body of the answer: JSON, or the text of a file
}
