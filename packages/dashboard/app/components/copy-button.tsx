import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { useWords } from "../words/use-words.js";
import { Button, IconButton } from "./button.js";

interface Props {
  readonly text: string;
  /** A word on the button; without it, an icon alone. */
  readonly label?: string;
}

const SHOWN_MS = 2_000;

export function CopyButton({ text, label }: Props) {
  const [isCopied, setCopied] = useState(false);
  const words = useWords().common;
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    window.setTimeout(() => setCopied(false), SHOWN_MS);
  };
  const icon = isCopied ? Check : Copy;
  const name = isCopied ? words.copied : (label ?? words.copy);
  return label === undefined ? (
    <IconButton icon={icon} label={name} size="small" onClick={() => void copy()} />
  ) : (
    <Button icon={icon} onClick={() => void copy()}>
      {name}
    </Button>
  );
}
