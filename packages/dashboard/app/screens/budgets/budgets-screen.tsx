import { Page } from "../../components/page.js";
import { useWords } from "../../words/use-words.js";

export function BudgetsScreen() {
  const words = useWords().shell;
  return <Page title={words.budgets}>{null}</Page>;
}
