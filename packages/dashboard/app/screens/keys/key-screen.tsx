import { Page } from "../../components/page.js";
import { useWords } from "../../words/use-words.js";

export function KeyScreen() {
  const words = useWords().shell;
  return <Page title={words.keys}>{null}</Page>;
}
