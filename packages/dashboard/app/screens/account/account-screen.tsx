import { Page } from "../../components/page.js";
import { useWords } from "../../words/use-words.js";

export function AccountScreen() {
  const words = useWords().shell;
  return <Page title={words.account}>{null}</Page>;
}
