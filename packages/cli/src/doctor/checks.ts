/** The result of one check. A result that is not ok names the fix. */
export interface Finding {
  readonly name: string;
  readonly state: "ok" | "warning" | "wrong";
  readonly says: string;
}

export function ok(name: string, says: string): Finding {
  return { name, state: "ok", says };
}

export function warning(name: string, says: string): Finding {
  return { name, state: "warning", says };
}

export function wrong(name: string, says: string): Finding {
  return { name, state: "wrong", says };
}

export function reasonOf(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return reason === "" ? code : reason;
}
