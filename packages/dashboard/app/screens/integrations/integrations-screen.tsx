import { Page } from "../../components/page.js";
import { useWords } from "../../words/use-words.js";

export function IntegrationsScreen() {
  const words = useWords().shell;
  return <Page title={words.integrations}>{null}</Page>;
}
