import { Page } from "../../components/page.js";
import { useWords } from "../../words/use-words.js";

export function BusinessScreen() {
  const words = useWords().shell;
  return <Page title={words.business}>{null}</Page>;
}
