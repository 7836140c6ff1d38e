import { useFormats } from "../../../formats/use-formats.js";
import { useWords } from "../../../words/use-words.js";
import { isDecimal, writeDecimal } from "../document/decimals.js";
import { useEditorTools } from "../editor-context.js";
import type { Conflict } from "./merge.js";

/** A value of the document as a short text. The empty text stands for nothing. */
export function useValueText(): (field: Conflict["field"], value: unknown) => string {
  const words = useWords();
  const formats = useFormats();
  const { mark, minorDigits } = useEditorTools();
  const number = (text: string, digits: number) => writeDecimal(text, mark, true, digits);
  const texts = (value: object): string =>
    Object.values(value)
      .filter((each): each is string => typeof each === "string" && each !== "")
      .map((each) => number(each, 0))
      .join(", ");
  return (field, value) => {
    if (field === null) return value === null ? words.editor.merge.removed : words.editor.merge.kept;
    if (value === null || value === "") return words.common.none;
    if (typeof value === "boolean") return value ? words.common.yes : words.common.no;
    if (field === "validUntil" && typeof value === "string") return formats.date(`${value}T12:00:00Z`);
    if (typeof value === "string") {
      const isAmount = field === "unitPrice" || field === "unitCost" || field === "discount" || field === "deposit";
      return isDecimal(value) ? number(value, isAmount ? minorDigits : 0) : value;
    }
    if (Array.isArray(value)) {
      return value.length === 0 ? words.common.none : value.map((each) => shortOf(each, texts)).join("; ");
    }
    return shortOf(value, texts);
  };
}

function shortOf(value: unknown, texts: (value: object) => string): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return String(value);
  return "name" in value && typeof value.name === "string" ? value.name : texts(value);
}
