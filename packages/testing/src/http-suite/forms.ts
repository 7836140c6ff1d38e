const BOUNDARY = "----a-boundary-that-no-file-has";

/** One part of a form, as it goes over the wire. */
export interface FormPart {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly fileName?: string;
  readonly contentType?: string;
}

/** A body and the header that goes with it. */
export interface Form {
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

export function aForm(...parts: readonly FormPart[]): Form {
  const pieces = parts.flatMap(({ name, content, fileName, contentType }) => {
    const file = fileName === undefined ? "" : `; filename="${fileName}"`;
    const type = contentType === undefined ? "" : `Content-Type: ${contentType}\r\n`;
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${type}\r\n`;
    return [Buffer.from(head), Buffer.from(content), Buffer.from("\r\n")];
  });
  return {
    body: Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)]),
    headers: { "content-type": `multipart/form-data; boundary=${BOUNDARY}` },
  };
}

/** A form with one file, as a browser or `curl -F file=@offer.pdf` would send it. */
export function aFileForm(content: string | Uint8Array, overrides: Partial<FormPart> = {}): Form {
  return aForm({ name: "file", fileName: "offer.pdf", contentType: "application/pdf", content, ...overrides });
}

/** So many bytes without a pattern that could hide a lost or repeated piece; the same at each call. */
export function someBytes(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  const words = new Uint32Array(bytes.buffer, 0, length >> 2);
  let state = 0x2545f491;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state;
  };
  for (let index = 0; index < words.length; index += 1) words[index] = next();
  for (let index = words.length * 4; index < length; index += 1) bytes[index] = next();
  return bytes;
}
