import { Compass } from "lucide-react";
import { ButtonLink } from "../components/button.js";
import { EmptyState } from "../components/notices.js";
import { useWords } from "../words/use-words.js";

export function NotFound() {
  const words = useWords().common;
  return (
    <EmptyState
      icon={Compass}
      title={words.notFoundTitle}
      text={words.notFoundText}
      action={<ButtonLink to="/">{words.toOverview}</ButtonLink>}
    />
  );
}
