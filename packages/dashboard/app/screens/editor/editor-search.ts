/** What the address of the screen says, read from text that may have been typed. */
export interface EditorSearch {
  /** Who gets the new budget. */
  readonly customerId?: string;
}

const MAX_ID = 100;

export function readEditorSearch({ customerId }: Record<string, unknown>): EditorSearch {
  return typeof customerId === "string" && customerId !== "" && customerId.length <= MAX_ID ? { customerId } : {};
}
