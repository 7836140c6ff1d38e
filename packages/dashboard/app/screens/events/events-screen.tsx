import { Page } from "../../components/page.js";
import { useWords } from "../../words/use-words.js";

export function EventsScreen() {
  const words = useWords().shell;
  return <Page title={words.events}>{null}</Page>;
}
