import { useQuery } from "@tanstack/react-query";
import { CodeBlock } from "../../components/code-block.js";
import { serviceAddressQuery } from "../../queries/ledger.js";
import { useWords } from "../../words/use-words.js";
import { firstCall } from "./first-call.js";

/** A call to paste into a terminal. The key itself is known to its owner alone. */
export function KeyTry() {
  const { data: address } = useQuery(serviceAddressQuery);
  const words = useWords().keys;
  if (address === undefined) return null;
  const call = firstCall(address, "YOUR_KEY");
  return (
    <CodeBlock label={words.tryIt} copied={call}>
      {call}
    </CodeBlock>
  );
}
