/** What a server under load is told on its command line. */
export interface ServerOptions {
  readonly kind: ServerKind;
  readonly path: string; // of its database, or the address of that
  readonly limiter: "file" | "memory"; // whether the windows are kept beside the data
}

export type ServerKind =
  | "hono"
  | "express"
  | "hono-postgres"
  | "hand-written"
  | "hand-written-postgres"
  | "bare-express"
  | "better-auth";

/** What it says when it listens. */
export interface Listening {
  readonly port: number;
  /** PRAGMA synchronous of the connection that writes, 2 for FULL; null = it writes nothing, or not to a file. */
  readonly synchronous: number | null;
  readonly key?: string; // a key that it made itself
}

/** What it says of itself when asked: how it has been since it was last asked, in microseconds. */
export interface Condition {
  readonly cpu: number; // that its process has used
  readonly loopDelayP99: number; // that its event loop was late
  readonly loopDelayMax: number;
  readonly residentBytes: number;
}
