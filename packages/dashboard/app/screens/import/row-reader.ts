import { type DecimalSign, readNumber } from "../../formats/read-number.js";

/** What is wrong with a cell, by the rules that the service has for the field. */
export type CellProblem =
  | "required"
  | "tooLong"
  | "email"
  | "cuit"
  | "dni"
  | "id"
  | "number"
  | "negative"
  | "decimals"
  | "rate"
  | "currency"
  | "yesNo"
  | "twice";

const MAX_DECIMALS = 6;
const YES = ["1", "true", "yes", "y", "si", "sí", "s", "sim", "x", "activo", "ativo", "active"];
const NO = ["0", "false", "no", "n", "não", "nao", "inactivo", "inativo", "inactive"];

/** Reads the cells of one row, and notes by field what the service would refuse. Empty cells are null. */
export interface RowReader<F extends string> {
  readonly problems: ReadonlyMap<F, CellProblem>;
  text(field: F, longest: number, check?: (text: string) => CellProblem | null): string | null;
  needed(field: F, longest: number): string;
  number(field: F): number | null;
  /** `21`, `21 %` and `0.21` are the same rate. */
  rate(field: F): number | null;
  flag(field: F): boolean | null;
}

export function rowReader<F extends string>(cell: (field: F) => string, decimal: DecimalSign): RowReader<F> {
  const problems = new Map<F, CellProblem>();
  const text: RowReader<F>["text"] = (field, longest, check = () => null) => {
    const value = cell(field);
    if (value === "") return null;
    const problem = value.length > longest ? "tooLong" : check(value);
    if (problem !== null) problems.set(field, problem);
    return value;
  };
  return {
    problems,
    text,
    needed: (field, longest) => {
      const value = text(field, longest);
      if (value === null) problems.set(field, "required");
      return value ?? "";
    },
    number: (field) => {
      if (cell(field) === "") return null;
      const value = readNumber(cell(field), decimal);
      const problem = numberProblem(value);
      if (problem !== null) problems.set(field, problem);
      return value;
    },
    rate: (field) => {
      const written = cell(field);
      if (written === "") return null;
      const value = readNumber(written.replace(/\s*%$/, ""), decimal);
      if (value === null) problems.set(field, "number");
      const rate = value === null || (value <= 1 && !written.includes("%")) ? value : Number((value / 100).toFixed(8));
      if (rate !== null && (rate < 0 || rate > 1)) problems.set(field, "rate");
      return rate;
    },
    flag: (field) => {
      const written = cell(field).toLowerCase();
      if (written === "") return null;
      if (YES.includes(written)) return true;
      if (!NO.includes(written)) problems.set(field, "yesNo");
      return false;
    },
  };
}

function numberProblem(value: number | null): CellProblem | null {
  if (value === null) return "number";
  if (value < 0) return "negative";
  return Number(value.toFixed(MAX_DECIMALS)) === value ? null : "decimals";
}
