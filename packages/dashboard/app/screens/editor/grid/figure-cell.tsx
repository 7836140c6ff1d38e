import { useLayoutEffect, useRef, useState } from "react";
import { isDecimal, readDecimal, writeDecimal } from "../document/decimals.js";
import { type Column, useEditorTools } from "../editor-context.js";
import styles from "./cells.module.css";

interface Props {
  readonly line: string;
  readonly column: Column;
  readonly label: string;
  readonly value: string;
  /** share: an amount or a percentage. quantity: a number and its unit. */
  readonly kind: "amount" | "share" | "quantity";
  readonly isQuiet: boolean;
  readonly problemId: string | undefined;
  readonly onChange: (value: string) => void;
}

/**
 * A number that is written in place. The document has it as a plain decimal, and keeps what is typed until it is one;
 * the cell shows it as the language writes numbers.
 */
export function FigureCell({ line, column, label, value, kind, isQuiet, problemId, onChange }: Props) {
  const { mark, minorDigits, closeStep } = useEditorTools();
  const [draft, setDraft] = useState<{ readonly text: string; readonly value: string } | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const isEntered = useRef(false);
  useLayoutEffect(() => {
    if (isEntered.current) field.current?.select(); // now that it has the plain number
    isEntered.current = false;
  });
  const plain = written(value, (number) => writeDecimal(number, mark));
  const shown = written(value, (number) => writeDecimal(number, mark, true, kind === "amount" ? minorDigits : 0));
  const text = draft === null ? shown : draft.value === value ? draft.text : plain;
  return (
    <input
      ref={field}
      className={`${styles.figure} ${isQuiet ? styles.quiet : ""}`}
      data-cell={`${line}:${column}`}
      aria-label={label}
      aria-invalid={problemId === undefined ? undefined : true}
      aria-describedby={problemId}
      inputMode={kind === "amount" ? "decimal" : "text"}
      autoComplete="off"
      placeholder={kind === "share" ? "—" : ""}
      value={text}
      onFocus={() => {
        isEntered.current = true;
        setDraft({ text: plain, value });
      }}
      onChange={(event) => {
        const typed = event.target.value;
        const next = read(typed, kind, (number) => readDecimal(number, mark));
        setDraft({ text: typed, value: next });
        onChange(next);
      }}
      onBlur={() => {
        setDraft(null);
        closeStep();
      }}
    />
  );
}

type Convert<T> = (number: string) => T;

/** The number in `10%` or `28 m²` as the language writes it; a text that is no number stays as it was typed. */
function written(value: string, write: Convert<string>): string {
  const [, number = "", rest = ""] = /^([\d.]+)(.*)$/s.exec(value) ?? [];
  return isDecimal(number) ? `${write(number)}${rest}` : value;
}

function read(typed: string, kind: Props["kind"], readNumber: Convert<string | null>): string {
  const text = typed.trim();
  if (kind === "amount") return readNumber(text) ?? text;
  const pattern = kind === "share" ? /^([\d.,\s'’]*\d)\s*(%)$/ : /^([\d.,\s'’]*\d)\s*(\D.*)?$/s;
  const [, digits = "", rest = ""] = pattern.exec(text) ?? [];
  const number = readNumber(digits);
  if (number === null) return readNumber(text) ?? text;
  return kind === "share" ? `${number}%` : rest === "" ? number : `${number} ${rest}`;
}

/** A quantity and its unit as one text: `28 m²`. */
export function joinQuantity(quantity: string, unit: string): string {
  return unit === "" ? quantity : `${quantity} ${unit}`;
}

export function splitQuantity(value: string): { quantity: string; unit: string } {
  const at = value.indexOf(" ");
  const quantity = at === -1 ? value : value.slice(0, at);
  return isDecimal(quantity) ? { quantity, unit: at === -1 ? "" : value.slice(at + 1) } : { quantity: value, unit: "" };
}
