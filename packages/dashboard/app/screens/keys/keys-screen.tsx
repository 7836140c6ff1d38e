import { Page } from "../../components/page.js";
import { useWords } from "../../words/use-words.js";

export function KeysScreen() {
  const words = useWords().shell;
  return <Page title={words.keys}>{null}</Page>;
}
