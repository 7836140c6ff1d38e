import { Page } from "../../components/page.js";
import { useWords } from "../../words/use-words.js";

export function ReferenceScreen() {
  const words = useWords().shell;
  return <Page title={words.reference}>{null}</Page>;
}
