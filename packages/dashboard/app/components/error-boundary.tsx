import { Component, type ReactNode } from "react";
import { useWords } from "../words/use-words.js";
import { Button } from "./button.js";
import { ErrorPanel } from "./notices.js";

interface State {
  readonly error: Error | null;
}

/** Shows what broke instead of an empty page. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: Error): State {
    return { error };
  }

  override render(): ReactNode {
    return this.state.error === null ? this.props.children : <Broken error={this.state.error} />;
  }
}

/** What stands in place of a screen that broke. The router hands over any thrown value. */
export function Broken({ error }: { readonly error: unknown }) {
  const words = useWords().common;
  return (
    <main style={{ maxWidth: 560, margin: "0 auto", padding: 28 }}>
      <ErrorPanel title={words.brokenTitle} error={error instanceof Error ? error : new Error(String(error))} />
      <p>{words.brokenText}</p>
      <p>
        <Button onClick={() => location.reload()}>{words.reload}</Button>
      </p>
    </main>
  );
}
