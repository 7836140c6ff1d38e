import { Page } from "../../components/page.js";
import { useWords } from "../../words/use-words.js";

export function CatalogScreen() {
  const words = useWords().shell;
  return <Page title={words.catalog}>{null}</Page>;
}
