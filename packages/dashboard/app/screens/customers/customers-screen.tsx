import { Page } from "../../components/page.js";
import { useWords } from "../../words/use-words.js";

export function CustomersScreen() {
  const words = useWords().shell;
  return <Page title={words.customers}>{null}</Page>;
}
