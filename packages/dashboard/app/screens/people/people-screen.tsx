import { Page } from "../../components/page.js";
import { useWords } from "../../words/use-words.js";

export function PeopleScreen() {
  const words = useWords().shell;
  return <Page title={words.people}>{null}</Page>;
}
