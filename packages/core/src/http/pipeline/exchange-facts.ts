import type { Result } from "neverthrow";
import type { Origin } from "../../kernel/actor.js";
import type { Instant } from "../../kernel/clock.js";
import type { Problem } from "../../kernel/problem.js";
import type { Upload } from "../body/upload.js";
import { clientAddressOf } from "../headers/client-address.js";
import { readIfMatch } from "../headers/preconditions.js";
import type { RequestFacts, Route } from "../route.js";
import { reauthorize } from "./authorize-request.js";
import { type Exchange, requestOriginOf } from "./exchange.js";

/** What handlers may ask of an exchange. A class, because a closure for each answer would be made for every request. */
export class ExchangeFacts implements RequestFacts {
  constructor(
    private readonly exchange: Exchange,
    private readonly route: Route,
  ) {}

  origin(): Origin {
    return requestOriginOf(this.exchange);
  }

  accept(): string | null {
    return this.exchange.request.header("accept");
  }

  acceptEncoding(): string | null {
    return this.exchange.request.header("accept-encoding");
  }

  acceptLanguage(): string | null {
    return this.exchange.request.header("accept-language");
  }

  userAgent(): string | null {
    return this.exchange.request.header("user-agent");
  }

  clientAddress(): string | null {
    return clientAddressOf(this.exchange.request, this.exchange.context.trustedProxies);
  }

  isDisplayed(): boolean {
    const { request } = this.exchange;
    const purpose = request.header("sec-purpose") ?? request.header("purpose") ?? "";
    return request.method === "GET" && !purpose.includes("prefetch");
  }

  ifMatch(): readonly number[] | null {
    return readIfMatch(this.exchange.request.header("if-match"));
  }

  upload(): Upload {
    return new ExchangeUpload(this.exchange, this.route);
  }
}

class ExchangeUpload implements Upload {
  readonly contentType: string;
  readonly announcedBytes: number | null;

  constructor(
    private readonly exchange: Exchange,
    private readonly route: Route,
  ) {
    const { request } = exchange;
    const length = request.header("content-length");
    this.contentType = request.header("content-type") ?? "";
    this.announcedBytes = length !== null && /^\d{1,15}$/.test(length) ? Number(length) : null;
  }

  body(): AsyncIterable<Uint8Array> {
    return this.exchange.request.streamBody();
  }

  async reauthorize(): Promise<Result<Instant, Problem>> {
    const { exchange } = this;
    exchange.now = exchange.context.clock.now();
    return (await reauthorize(exchange, this.route)).map(() => exchange.now);
  }
}
