import { Page } from "../../components/page.js";
import { useWords } from "../../words/use-words.js";

export function OverviewScreen() {
  const words = useWords().shell;
  return <Page title={words.overview}>{null}</Page>;
}
