import { useFormats } from "../../formats/use-formats.js";

const SECOND_MS = 1_000;
const IN_SECONDS_FROM_MS = 10_000;

/** `118 ms`, and `30 s` for what takes longer than ten seconds. */
export function useDuration(): (milliseconds: number) => string {
  const formats = useFormats();
  return (milliseconds) =>
    milliseconds >= IN_SECONDS_FROM_MS
      ? `${formats.number(Math.round(milliseconds / SECOND_MS))} s`
      : `${formats.number(milliseconds)} ms`;
}
