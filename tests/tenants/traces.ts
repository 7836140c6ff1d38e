import type { HostResponse } from "@budgetkit/testing";

export type AnswerText = Pick<HostResponse, "status" | "headers" | "text">;

/** Values that are drawn at random: keys and their prefixes, tokens and digests, never a word. */
const RANDOM = [
  /bgk_live_\w*/g,
  /(?<![A-Z2-7])[A-Z2-7]{32}(?![A-Z2-7])/g, // the secret of a second factor
  /(?<![\w+/-])(?=[\w+/-]*[a-z])(?=[\w+/-]*\d)[\w+/-]{22,}={0,2}/g,
];

/** What identifies a business in an answer: its ids and what was drawn for it. */
const TRACES = [
  /(?<!\d)[1-9]\d{9}(?!\d)/g, // an id: no amount, no count and no part of a timestamp has ten digits
  ...RANDOM,
];

export function tracesIn(answer: AnswerText): string[] {
  const text = wholeText(answer);
  return TRACES.flatMap((pattern) => text.match(pattern) ?? []);
}

/** The whole answer without the rate-limit headers, which change with each call. */
export function wholeText({ status, headers, text }: AnswerText): string {
  const kept = Object.entries(headers).filter(([name]) => !/^(x-)?ratelimit/.test(name));
  return `${status}\n${kept.map(([name, value]) => `${name}: ${value}`).join("\n")}\n\n${text}`;
}

/**
 * The answer without the values that the request named, and with a number in place of each value that is drawn at
 * random, so that the answers to two requests can be compared.
 */
export function neutralText(answer: AnswerText, named: Iterable<string>): string {
  let text = wholeText(answer);
  for (const value of [...named].sort((a, b) => b.length - a.length)) text = text.replaceAll(value, "NAMED");
  return numbered(text, TRACES);
}

/**
 * An answer and its request with their ids, sequences and counts, and with a number in place of each value that is drawn
 * at random. The digest in an ETag goes too: its body is compared, and may hold such values.
 */
export function textWithNumbers(asked: string, answer: AnswerText): string {
  return numbered(`${asked}: ${wholeText(answer)}`.replace(/^(etag: "v\d+)-[0-9a-f]{8}"$/m, '$1"'), RANDOM);
}

/** The text with the place of its first mention instead of each match. */
function numbered(text: string, patterns: readonly RegExp[]): string {
  const seen: string[] = [];
  return patterns.reduce(
    (rest, pattern) =>
      rest.replace(pattern, (match) => {
        if (!seen.includes(match)) seen.push(match);
        return `#${seen.indexOf(match)}`;
      }),
    text,
  );
}

/** A value of the same form and length that no record has. */
export function unknownLike(value: string): string {
  return /^\d+$/.test(value)
    ? "8".repeat(value.length)
    : value.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 97 + 13) % 26) + 97));
}
