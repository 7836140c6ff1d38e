import { err, ok, type Result } from "neverthrow";
import type { Problem } from "../kernel/problem.js";
import type { LineKind } from "../pricing/line-kind.js";
import { type PriceTier, settlePrice } from "../pricing/price-tiers.js";
import { checkQuantity, checkRange, type QuantityRange } from "../pricing/quantity-range.js";
import type { Recurrence } from "../pricing/recurring.js";

/** What a line may have beside a fixed quantity and price. A field is absent where there is nothing of it. */
export interface LineConfiguration {
  readonly taxes?: readonly string[]; // ids of the budget's taxes that are on the line; absent = all
  readonly optional?: true; // the line counts only if selected
  readonly selected?: boolean; // of an optional line or an option of a choice
  readonly choice?: string; // key of the choice of which the line is an option
  readonly quantityRange?: QuantityRange; // what the customer may set
  readonly priceTiers?: readonly PriceTier[]; // the price by quantity
  readonly recurring?: Recurrence; // absent = charged once
  readonly unitCost?: number; // what a unit costs the business, read as an exact decimal; internal
  readonly key?: string; // of a choice: its options name it
  readonly minimum?: number; // of a choice: options to select at least
  readonly maximum?: number; // of a choice: options to select at most
}

/** A configuration in a request. Null or absent = none. */
export type ConfigurationInput = {
  readonly [Field in keyof LineConfiguration]?:
    | (Field extends "optional" ? boolean : LineConfiguration[Field])
    | null
    | undefined;
};

const FIELDS = [
  "taxes",
  "optional",
  "selected",
  "choice",
  "quantityRange",
  "priceTiers",
  "recurring",
  "unitCost",
  "key",
  "minimum",
  "maximum",
] as const satisfies readonly (keyof LineConfiguration)[];

/** Most lines have none. Each field is named: V8 reads fields by a list of names many times as slowly. */
export function isConfigured(line: ConfigurationInput): boolean {
  return (
    line.taxes !== undefined ||
    line.optional !== undefined ||
    line.selected !== undefined ||
    line.choice !== undefined ||
    line.quantityRange !== undefined ||
    line.priceTiers !== undefined ||
    line.recurring !== undefined ||
    line.unitCost !== undefined ||
    line.key !== undefined ||
    line.minimum !== undefined ||
    line.maximum !== undefined
  );
}

/** The fields that are set. */
export function configurationOf(line: ConfigurationInput): LineConfiguration {
  const { taxes, optional, selected, choice, quantityRange, priceTiers, recurring, unitCost, key, minimum, maximum } =
    line;
  return {
    ...(isSet(taxes) ? { taxes } : {}),
    ...(optional === true ? { optional } : {}),
    ...(isSet(selected) ? { selected } : {}),
    ...(isSet(choice) ? { choice } : {}),
    ...(isSet(quantityRange) ? { quantityRange } : {}),
    ...(isSet(priceTiers) ? { priceTiers } : {}),
    ...(isSet(recurring) ? { recurring } : {}),
    ...(isSet(unitCost) ? { unitCost } : {}),
    ...(isSet(key) ? { key } : {}),
    ...(isSet(minimum) ? { minimum } : {}),
    ...(isSet(maximum) ? { maximum } : {}),
  };
}

/** The configuration of a line with the changed fields of a request. */
export function configurationAfter(line: LineConfiguration, changed: ConfigurationInput): LineConfiguration {
  const given = FIELDS.filter((field) => changed[field] !== undefined);
  return given.length === 0 ? configurationOf(line) : configurationOf({ ...line, ...pick(changed, given) });
}

function pick(line: ConfigurationInput, fields: readonly (keyof LineConfiguration)[]): ConfigurationInput {
  return Object.fromEntries(fields.map((field) => [field, line[field]]));
}

/** The line with the price that applies. */
export interface Configured extends LineConfiguration {
  readonly unitPrice: number;
}

/**
 * Settles what follows from a configuration: the price of the tier, and that an option is not selected unless the request
 * says so. Errors: 400 for a missing price; TIERS_NOT_ASCENDING, INVALID_QUANTITY_RANGE, QUANTITY_OUT_OF_RANGE.
 */
export function configure(
  line: { readonly kind?: LineKind | undefined; readonly quantity: number; readonly unitPrice?: number | undefined },
  configuration: LineConfiguration,
  index: number,
): Result<Configured, Problem> {
  if (line.kind === "choice") return ok({ minimum: 1, maximum: 1, ...configuration, unitPrice: 0 });
  if (line.kind !== undefined && line.kind !== "item") return ok({ unitPrice: 0 });
  const { quantityRange: range, priceTiers, optional, choice, selected } = configuration;
  const field = `items[${index}]`;
  if (range !== undefined) {
    const ranged = checkRange(range, field).andThen(() => checkQuantity(range, line.quantity, field));
    if (ranged.isErr()) return err(ranged.error);
  }
  const smallest = range?.minimum ?? line.quantity;
  const isOption = optional === true || choice !== undefined;
  return settlePrice({ priceTiers, unitPrice: line.unitPrice }, line.quantity, smallest, field).map((price) => ({
    ...configuration,
    ...(isOption && selected === undefined ? { selected: false } : {}),
    ...price,
  }));
}

function isSet<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}
