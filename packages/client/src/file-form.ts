import type { Input } from "./transport.js";

interface FileName {
  readonly fileName?: string | undefined;
  readonly contentType?: string | undefined;
}

const NAME = "file";
const OCTETS = "application/octet-stream";

/** A form (`multipart/form-data`) with one file. */
export function formOf(content: Blob | ReadableStream<Uint8Array>, named: FileName): NonNullable<Input["content"]> {
  if (content instanceof ReadableStream) return streamedForm(content, named);
  const { fileName = nameOf(content), contentType = content.type || OCTETS } = named;
  const form = new FormData();
  form.set(NAME, content.type === contentType ? content : new Blob([content], { type: contentType }), fileName);
  return { body: form, contentType: null };
}

function nameOf(content: Blob): string {
  return "name" in content && typeof content.name === "string" ? content.name : NAME;
}

/** The same form for a stream, which `FormData` does not accept. */
function streamedForm(content: ReadableStream<Uint8Array>, { fileName = NAME, contentType = OCTETS }: FileName) {
  const boundary = `budgetkit-${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}`;
  const disposition = `Content-Disposition: form-data; name="${NAME}"; filename="${escaped(fileName)}"`;
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) =>
      controller.enqueue(
        bytesOf(`--${boundary}\r\n${disposition}\r\nContent-Type: ${withoutBreaks(contentType)}\r\n\r\n`),
      ),
    flush: (controller) => controller.enqueue(bytesOf(`\r\n--${boundary}--\r\n`)),
  });
  content.pipeTo(writable).catch(() => {}); // the reader of the form gets the error
  return { body: readable, contentType: `multipart/form-data; boundary=${boundary}` };
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Source: WHATWG HTML, multipart/form-data encoding algorithm. */
function escaped(fileName: string): string {
  return fileName.replace(/\r\n?|\n/g, "%0D%0A").replaceAll('"', "%22");
}

function withoutBreaks(text: string): string {
  return text.replace(/[\r\n]/g, " ");
}
