/** What the address of the screen says, read from text that anybody may have typed. */
export type EditorSearch = Record<never, never>;

export function readEditorSearch(_search: Record<string, unknown>): EditorSearch {
  return {};
}
