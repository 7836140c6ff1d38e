import { Money } from "../../components/money.js";
import { useWords } from "../../words/use-words.js";

interface Props {
  /** Null = no fixed price. */
  readonly amount: number | null;
  readonly currency: string;
  readonly unit: string | undefined;
  readonly hasTiers: boolean;
}

/** The price of a unit; its tiers are announced by a word. */
export function PriceCell({ amount, currency, unit, hasTiers }: Props) {
  const words = useWords();
  if (amount === null) return hasTiers ? words.catalog.byQuantity : words.common.none;
  return (
    <>
      <Money amount={amount} currency={currency} />
      {unit !== undefined && ` / ${unit}`}
    </>
  );
}
