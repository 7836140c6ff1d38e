import { createContext, type ReactNode, use, useContext, useMemo, useState } from "react";
import type { Words } from "./en.js";
import { browserLanguage, keepLanguage, type Language, loadWords } from "./languages.js";

interface WordsContextValue {
  readonly language: Language;
  readonly words: Words;
  readonly setLanguage: (language: Language) => void;
}

const WordsContext = createContext<WordsContextValue | null>(null);

/** Suspends until the words of the language are there. */
export function WordsProvider({ children }: { readonly children: ReactNode }) {
  const [language, setState] = useState(browserLanguage);
  const words = use(loadWords(language));
  const value = useMemo(() => {
    const setLanguage = (next: Language) => {
      keepLanguage(next);
      setState(next);
    };
    return { language, words, setLanguage };
  }, [language, words]);
  return <WordsContext value={value}>{children}</WordsContext>;
}

export function useLanguage(): WordsContextValue {
  const value = useContext(WordsContext);
  if (value === null) throw new Error("useWords is for what WordsProvider shows");
  return value;
}

/** All texts of the dashboard in the person's language: `words.budgets.title`. */
export function useWords(): Words {
  return useLanguage().words;
}
