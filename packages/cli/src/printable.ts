/** What somebody has named, for a terminal: no character of it moves the cursor, ends the line or changes a colour. */
export function printable(name: string): string {
  return name.replace(/\p{Cc}/gu, " ");
}
