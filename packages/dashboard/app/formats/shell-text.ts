/** One argument for a POSIX shell: nothing in it is expanded. */
export function shellText(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
