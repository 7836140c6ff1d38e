import { useWords } from "../../../words/use-words.js";
import { ImportDialog } from "../../import/import-dialog.js";
import { productImport } from "./product-import.js";

export function ImportProducts({ onClose }: { readonly onClose: () => void }) {
  const texts = useWords().catalog;
  const { name, sku, description, unitPrice, currency, unit, unitCost, taxPercent, active, id } = texts;
  const labels = { name, sku, description, unitPrice, currency, unit, unitCost, taxRate: taxPercent, active, id };
  return <ImportDialog kind={productImport} title={texts.importTitle} labels={labels} onClose={onClose} />;
}
