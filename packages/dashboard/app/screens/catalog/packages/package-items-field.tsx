import { useQuery } from "@tanstack/react-query";
import { CircleAlert, Trash2 } from "lucide-react";
import { IconButton } from "../../../components/button.js";
import field from "../../../components/field.module.css";
import { SelectField, TextField } from "../../../components/inputs.js";
import { productQuery } from "../../../queries/records.js";
import { useWords } from "../../../words/use-words.js";
import records from "../../records/records.module.css";
import { newKey } from "../draft/line-defaults-draft.js";
import type { PackageItemDraft } from "../draft/package-draft.js";
import type { ErrorAt } from "../fields/errors-at.js";
import styles from "./packages.module.css";
import { ProductSearch } from "./product-search.js";

interface Props {
  readonly items: readonly PackageItemDraft[];
  readonly onChange: (items: readonly PackageItemDraft[]) => void;
  readonly errorAt: ErrorAt;
}

/** The products in a package, each with a variant and a quantity. */
export function PackageItemsField({ items, onChange, errorAt }: Props) {
  const words = useWords().catalog;
  const none = items.length === 0 ? errorAt("items") : null;
  return (
    <fieldset className={records.group}>
      <legend>{words.items}</legend>
      {items.map((item, index) => (
        <ItemFields
          key={item.key}
          item={item}
          errorAt={(name) => errorAt(`items[${index}].${name}`)}
          onChange={(changes) => onChange(items.map((each) => (each === item ? { ...each, ...changes } : each)))}
          onRemove={() => onChange(items.filter((each) => each !== item))}
        />
      ))}
      {none !== null && (
        <p role="alert" className={field.error}>
          <CircleAlert aria-hidden="true" size={14} /> {none}
        </p>
      )}
      <ProductSearch
        onChoose={({ id }) => onChange([...items, { key: newKey(), productId: id, variantId: "", quantity: "1" }])}
      />
    </fieldset>
  );
}

interface ItemProps {
  readonly item: PackageItemDraft;
  readonly errorAt: ErrorAt;
  readonly onChange: (changes: Partial<PackageItemDraft>) => void;
  readonly onRemove: () => void;
}

function ItemFields({ item, errorAt, onChange, onRemove }: ItemProps) {
  const texts = useWords().catalog;
  const { data: product, isError } = useQuery(productQuery(item.productId));
  const name = product?.name ?? item.productId;
  const variants = product?.variants ?? [];
  const error = errorAt("productId") ?? (isError ? texts.productGone : null);
  return (
    <div className={styles.item}>
      <div className={styles.name}>
        <span className={records.clamp}>{name}</span>
        {error !== null && <span className={field.error}>{error}</span>}
      </div>
      {(variants.length > 0 || item.variantId !== "") && (
        <SelectField
          label={texts.variant}
          value={item.variantId}
          error={errorAt("variantId")}
          options={[
            { value: "", label: texts.noVariant },
            ...variants.map((variant) => ({ value: variant.id, label: variant.name })),
          ]}
          onChange={(variantId) => onChange({ variantId })}
        />
      )}
      <TextField
        label={texts.quantityOf(name)}
        inputMode="decimal"
        value={item.quantity}
        error={errorAt("quantity")}
        onChange={(quantity) => onChange({ quantity })}
      />
      <IconButton icon={Trash2} label={texts.removeItem(name)} onClick={onRemove} />
    </div>
  );
}
