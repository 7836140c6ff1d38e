import { useWords } from "../../words/use-words.js";
import { ImportDialog } from "../import/import-dialog.js";
import { customerImport } from "./customer-import.js";

export function ImportCustomers({ onClose }: { readonly onClose: () => void }) {
  const texts = useWords().customers;
  return <ImportDialog kind={customerImport} title={texts.importTitle} labels={texts.fields} onClose={onClose} />;
}
