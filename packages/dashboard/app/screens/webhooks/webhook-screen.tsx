import { Page } from "../../components/page.js";
import { useWords } from "../../words/use-words.js";

export function WebhookScreen() {
  const words = useWords().shell;
  return <Page title={words.webhooks}>{null}</Page>;
}
