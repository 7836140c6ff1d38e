import { useWords } from "../words/use-words.js";
import styles from "./code-block.module.css";
import { type JsonText, jsonTokens } from "./json-tokens.js";

/** JSON with its strings coloured, as the content of a CodeBlock. */
export function JsonCode({ text, isCut }: JsonText) {
  const words = useWords().webhooks;
  return (
    <>
      {jsonTokens(text).map((token, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no identity
        <span key={index} className={token.isString ? styles.text : undefined}>
          {token.text}
        </span>
      ))}
      {isCut && <span className={styles.note}>{`\n… ${words.cut}`}</span>}
    </>
  );
}
