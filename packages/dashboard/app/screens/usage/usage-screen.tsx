import { Page } from "../../components/page.js";
import { useWords } from "../../words/use-words.js";

export function UsageScreen() {
  const words = useWords().shell;
  return <Page title={words.usage}>{null}</Page>;
}
