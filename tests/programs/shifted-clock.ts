import type { Environment } from "./running-program.js";

/** Sets the clock of a program ahead of that of the machine, or behind it. Its timers are those of the machine. */
export function clockAhead(aheadMs: number): Environment {
  const code = `const now = Date.now; Date.now = () => now() + ${aheadMs};`;
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(code)}` };
}
