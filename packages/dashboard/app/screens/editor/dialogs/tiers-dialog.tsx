import { Plus, Trash2 } from "lucide-react";
import { Button, IconButton } from "../../../components/button.js";
import { useWords } from "../../../words/use-words.js";
import type { Tier } from "../document/line.js";
import styles from "./dialogs.module.css";
import { FigureField } from "./figure-field.js";
import { LineDialog } from "./line-dialog.js";
import type { LineDialogProps } from "./line-dialogs.js";

const MAX_TIERS = 20;

/** The price of a unit by quantity. */
export function TiersDialog({ budget, line, onClose }: LineDialogProps) {
  const words = useWords();
  const texts = words.editor.tiers;
  const start = line.tiers.length > 0 ? line.tiers : [{ from: "", unitPrice: "" }];
  return (
    <LineDialog
      title={texts.title}
      budget={budget}
      line={line}
      fields={["tiers", "unitPrice"]}
      start={{ tiers: start }}
      none={line.tiers.length === 0 ? undefined : { tiers: [] }}
      onClose={onClose}
    >
      {({ tiers, unitPrice }, set) => {
        const write = (index: number, changes: Partial<Tier>) =>
          set({ tiers: tiers.map((tier, each) => (each === index ? { ...tier, ...changes } : tier)) });
        return (
          <>
            <p>{texts.text}</p>
            <FigureField
              label={texts.below}
              hint={texts.belowHint}
              value={unitPrice}
              onChange={(value) => set({ unitPrice: value })}
            />
            {tiers.map((tier, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a tier has no name but its place
              <div key={index} className={styles.tier}>
                <FigureField
                  label={texts.from(index + 1)}
                  value={tier.from}
                  onChange={(from) => write(index, { from })}
                />
                <FigureField
                  label={texts.price(index + 1)}
                  value={tier.unitPrice}
                  onChange={(price) => write(index, { unitPrice: price })}
                />
                <IconButton
                  icon={Trash2}
                  label={texts.remove(index + 1)}
                  onClick={() => set({ tiers: tiers.filter((_, each) => each !== index) })}
                />
              </div>
            ))}
            {tiers.length < MAX_TIERS && (
              <div>
                <Button
                  size="small"
                  icon={Plus}
                  onClick={() => set({ tiers: [...tiers, { from: "", unitPrice: "" }] })}
                >
                  {texts.add}
                </Button>
              </div>
            )}
          </>
        );
      }}
    </LineDialog>
  );
}
