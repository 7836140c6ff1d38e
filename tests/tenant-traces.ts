import type { HostResponse } from "@budgetkit/core/testing";

export type AnswerText = Pick<HostResponse, "status" | "headers" | "text">;

/** What tells one business from another in an answer: ids, keys and their prefixes, tokens and digests, never a word. */
const TRACES = [
  /(?<!\d)\d{13}(?!\d)/g, // an id: no amount, no count and no part of a timestamp is as long
  /bgk_live_\w*/g,
  /(?<![\w+/-])(?=[\w+/-]*[a-z])(?=[\w+/-]*\d)[\w+/-]{22,}={0,2}/g,
];

export function tracesIn(answer: AnswerText): string[] {
  const text = wholeText(answer);
  return TRACES.flatMap((pattern) => text.match(pattern) ?? []);
}

/** Everything of an answer but the rate, which goes down from call to call. */
export function wholeText({ status, headers, text }: AnswerText): string {
  const told = Object.entries(headers).filter(([name]) => !/^(x-)?ratelimit/.test(name));
  return `${status}\n${told.map(([name, value]) => `${name}: ${value}`).join("\n")}\n\n${text}`;
}

/**
 * The answer without what the caller named itself and without what is new each time, so that the answers to two calls
 * that should be told the same can be compared.
 */
export function neutralText(answer: AnswerText, named: Iterable<string>): string {
  let text = wholeText(answer);
  for (const value of [...named].sort((a, b) => b.length - a.length)) text = text.replaceAll(value, "NAMED");
  const seen: string[] = [];
  for (const pattern of TRACES) {
    text = text.replace(pattern, (trace) => {
      if (!seen.includes(trace)) seen.push(trace);
      return `#${seen.indexOf(trace)}`;
    });
  }
  return text;
}

/**
 * The same without the numbers that audit entries get when they are read of: ids and sequences are drawn from one space
 * for all businesses, as SECURITY.md says. Nor is there the digest in an ETag, which is of a body that has such in it.
 */
export function withoutDrawnNumbers(answer: AnswerText): string {
  return neutralText(answer, [])
    .replace(/"sequence":\d+/g, '"sequence":0')
    .replace(/^(etag: "v\d+)-[0-9a-f]{8}"$/m, '$1"');
}

/** Another value of the same form and length, which nobody has. */
export function unknownLike(value: string): string {
  return /^\d+$/.test(value)
    ? "8".repeat(value.length)
    : value.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 97 + 13) % 26) + 97));
}
