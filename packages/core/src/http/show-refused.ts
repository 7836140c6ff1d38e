import type { Result } from "neverthrow";
import type { Problem } from "../kernel/problem.js";
import type { BaseCall, RawInput, Reply } from "./route.js";

/** A request whose input was refused. */
interface RefusedCall extends Pick<BaseCall, "context" | "now" | "request"> {
  readonly input: RawInput;
  readonly problem: Problem;
}

/** Shows a browser the page with its form again; null = the usual error. */
export type ShowRefused = (call: RefusedCall) => Promise<Result<Reply<unknown>, Problem> | null>;
