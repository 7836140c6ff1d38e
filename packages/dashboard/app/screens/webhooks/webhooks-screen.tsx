import { Page } from "../../components/page.js";
import { useWords } from "../../words/use-words.js";

export function WebhooksScreen() {
  const words = useWords().shell;
  return <Page title={words.webhooks}>{null}</Page>;
}
