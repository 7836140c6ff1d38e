import { useWords } from "../../words/use-words.js";
import { LoginFrame } from "./login-frame.js";

/** The application around the dashboard says who is logged in, and it named nobody. */
export function HostSessionMissing() {
  const words = useWords().session;
  return (
    <LoginFrame title={words.hostTitle}>
      <p>{words.hostText}</p>
    </LoginFrame>
  );
}
