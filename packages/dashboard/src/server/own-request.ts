import type { ApiRequest } from "@budgetkit/core/http";

/** Who calls the service: a user by access token, the session of the host, or no user. */
export type Caller = { readonly kind: "token"; readonly access: string } | { readonly kind: "host" | "anonymous" };

/** A request of the browser as the service gets it: below its own mount, with the credential of the cookie. */
export class OwnRequest implements ApiRequest {
  readonly method: string;
  readonly peerAddress: string | null;
  readonly original: unknown;

  constructor(
    private readonly received: ApiRequest,
    readonly target: string,
    private readonly caller: Caller,
  ) {
    this.method = received.method;
    this.peerAddress = received.peerAddress;
    this.original = received.original;
  }

  header(name: string): string | null {
    if (name === "authorization") return this.#authorization();
    if (name === "cookie" && this.caller.kind !== "host") return null;
    return this.received.header(name);
  }

  readBody(limitBytes: number): Promise<Uint8Array | "too-large"> {
    return this.received.readBody(limitBytes);
  }

  streamBody(): AsyncIterable<Uint8Array> {
    return this.received.streamBody();
  }

  /** The page chooses no credential. That of a host's own session may be one that browsers add, such as Basic. */
  #authorization(): string | null {
    if (this.caller.kind === "token") return `Bearer ${this.caller.access}`;
    const sent = this.caller.kind === "host" ? this.received.header("authorization") : null;
    return sent !== null && /^bearer\b/i.test(sent) ? null : sent;
  }
}

const ABOUT_THE_BODY: ReadonlySet<string> = new Set(["content-encoding", "transfer-encoding", "content-length"]);

/** A login in the place of the page's own request, whose client address and headers it keeps. */
export class LoginRequest implements ApiRequest {
  readonly method = "POST";
  readonly target = "/auth/login";
  readonly peerAddress: string | null;
  readonly original: unknown;

  constructor(
    private readonly received: ApiRequest,
    private readonly body: Uint8Array,
  ) {
    this.peerAddress = received.peerAddress;
    this.original = received.original;
  }

  header(name: string): string | null {
    if (name === "content-length") return String(this.body.byteLength);
    if (name === "authorization" || name === "cookie" || ABOUT_THE_BODY.has(name)) return null;
    return this.received.header(name);
  }

  async readBody(limitBytes: number): Promise<Uint8Array | "too-large"> {
    return this.body.byteLength > limitBytes ? "too-large" : this.body;
  }

  async *streamBody(): AsyncGenerator<Uint8Array, void, undefined> {
    yield this.body;
  }
}
