import type { Script } from "../harness/pgbench.js";
import { type NewBudget, newRows } from "./create-budget.js";
import { BUSINESS } from "./inserts.js";
import { READ_BUDGET, READ_ITEMS } from "./postgres-reads.js";
import { answerOf, valuesOf, WRITE_ALL, WRITE_BUDGET, WRITE_ITEMS, WRITE_OUTBOX } from "./postgres-writes.js";

/** Stands for the id of the budget, which pgbench counts. */
const ID = -1;

/** Ids of a run, of each of its clients: out of the way of those that the servers and other runs give. */
const FIRST_ID = 1_500_000_000;
const IDS_OF_RUN = 5_000_000;
const IDS_OF_CLIENT = 100_000;

/** The statements of the hand-written server, with the values of one budget. */
export function createScripts(given: NewBudget): Readonly<Record<"transaction" | "statement", Script>> {
  const rows = newRows(ID, given);
  const { budget, items, outbox } = valuesOf(rows, answerOf(rows));
  const transaction = [
    "BEGIN",
    filled(WRITE_BUDGET.text, budget),
    filled(WRITE_ITEMS.text, items),
    filled(WRITE_OUTBOX.text, outbox),
    "COMMIT",
  ];
  const counting = (run: number): string =>
    ["\\set n :n + 1", `\\set id ${FIRST_ID + run * IDS_OF_RUN} + :client_id * ${IDS_OF_CLIENT} + :n`].join("\n");
  const script = (statements: readonly string[]) => (run: number) => `${counting(run)}\n${statements.join(";\n")};\n`;
  return {
    transaction: script(transaction),
    statement: script([filled(WRITE_ALL.text, [...budget, ...items, ...outbox])]),
  };
}

/** One of so many budgets, and its items. */
export function readScript(budgets: number): Script {
  const id = `\\set id random(1, ${budgets})`;
  const statements = [filled(READ_BUDGET.text, [BUSINESS, ID]), filled(READ_ITEMS.text, [ID])];
  return () => `${id}\n${statements.join(";\n")};\n`;
}

/** The statement with its values written out, on one line. */
function filled(text: string, values: readonly (string | number | null)[]): string {
  const written = text.replace(/\$(\d+)/g, (_, place: string) => literal(values[Number(place) - 1] ?? null));
  return written.replace(/\s+/g, " ").trim();
}

/** In texts colons and backslashes are written by their codes: pgbench takes a colon to begin a variable. */
function literal(value: string | number | null): string {
  if (value === ID) return ":id";
  if (typeof value !== "string") return String(value);
  const escaped = value.replace(/[\\:']/g, (character) => `\\x${character.charCodeAt(0).toString(16)}`);
  return `E'${escaped}'`;
}
