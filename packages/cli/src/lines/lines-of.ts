/**
 * The lines of UTF-8 bytes, one in memory at a time. A line ends with \n or \r\n and with nothing else: JSON texts may hold
 * U+2028 and U+2029, at which node:readline splits from Node 24 on. A byte order mark before the first line is left out.
 */
export async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder(); // leaves the mark out
  let parts: string[] = []; // of the line that is not complete
  for await (const bytes of input) {
    const [end = "", ...following] = decoder.decode(bytes, { stream: true }).split("\n");
    parts.push(end);
    for (const next of following) {
      yield withoutReturn(parts.join(""));
      parts = [next];
    }
  }
  const last = withoutReturn(parts.join("") + decoder.decode());
  if (last !== "") yield last;
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

/** A text without the byte order mark that some editors write before it. */
export function withoutMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}
