import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import type { PublicCaller, UserActor } from "../access/authenticate.js";
import type { HeldClaim } from "../idempotency/held-claim.js";
import type { Actor, Origin, Scope } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import { inputReader } from "../kernel/input-reader.js";
import { type Problem, unauthorized } from "../kernel/problem.js";
import type { Upload } from "./body/upload.js";
import type { HttpContext } from "./http-context.js";
import type { Reply } from "./reply.js";

export type { JsonReply, Reply } from "./reply.js";

/**
 * The audience of a route. It decides the shape of its errors: flat on `public` and `link`, nested on `management`.
 * `link` also serves HTML pages.
 */
export type Surface = "public" | "management" | "link" | "meta";

/**
 * The credential that a route needs: none, an API key with a scope, or a login. A login also serves where a key does, if
 * the user's role has the scope, unless the route concerns the key itself (`keysAlone`).
 */
export type RouteAuth =
  | { readonly kind: "none" }
  | { readonly kind: "key"; readonly scope: Scope; readonly keysAlone?: true }
  | { readonly kind: "user" };

type ActorFor<A extends RouteAuth> = A extends { kind: "none" }
  ? null
  : A extends { kind: "key" }
    ? PublicCaller
    : UserActor;

/** The body of a route: none, JSON (required or optional), or a form with one file that the handler streams. */
export interface BodySpec<B extends z.ZodType> {
  readonly reading: "none" | "required" | "optional" | "file";
  readonly schema: B;
  /** Converts the text fields of a form to the schema's input; null = the route accepts no forms. */
  readonly fromForm: FormReader | null;
  readonly maxFields?: number; // of a form; default: as many as a query has parameters
}

export type FormReader = (fields: Readonly<Record<string, string>>) => unknown;

export const withoutBody: BodySpec<z.ZodType> = { reading: "none", schema: z.unknown(), fromForm: null };

/** A form (`multipart/form-data`) with one file, in the part `file`; the handler reads it from `call.request.upload()`. */
export const fileBody: BodySpec<z.ZodType> = { reading: "file", schema: z.unknown(), fromForm: null };

export function jsonBody<B extends z.ZodType>(schema: B): BodySpec<B> {
  return { reading: "required", schema, fromForm: null };
}

/** An empty body counts as an empty object, but still needs its Content-Type. */
export function optionalJsonBody<B extends z.ZodType>(schema: B): BodySpec<B> {
  return { reading: "optional", schema, fromForm: null };
}

export function jsonOrFormBody<B extends z.ZodType>(schema: B, fromForm: FormReader, maxFields?: number): BodySpec<B> {
  return { reading: "required", schema, fromForm, ...(maxFields === undefined ? {} : { maxFields }) };
}

/** The schema of empty parameters or of an empty query. */
export const nothing = z.object({});

/** For routes without query and body. */
export const noInput = { query: nothing, body: withoutBody };

/** For routes of a login. */
export const byUser = { surface: "management", auth: { kind: "user" } } as const;

/** For routes of a login with the role OWNER or ADMIN. */
export const byAdministrator = { ...byUser, role: "administrator" } as const;

/** For routes of an API key, or of a user whose role has the scope. */
export function byKey<const S extends Scope>(scope: S) {
  return { surface: "public", auth: { kind: "key", scope } } as const;
}

/** The success response of a route. */
interface Success<R extends z.ZodType> {
  readonly status: 200 | 201;
  readonly again?: 200; // the status when the resource existed already
  readonly schema: R;
  readonly headers?: readonly SuccessHeader[]; // in addition to those of every response
}

type SuccessHeader = "etag" | "location";

/**
 * Runs an operation that writes, and makes the reply from its result. If the request has an Idempotency-Key, the result is
 * committed with the effect, and a replay makes the reply from the recorded result, without a run: so the handler of an
 * idempotent route does nothing before this.
 */
export type CommitReply = <View, Body>(
  reply: (result: View) => Reply<Body>,
  run: (options: CommitOptions) => Promise<Result<View, Problem>>,
) => Promise<Result<Reply<Body>, Problem>>;

interface CommitOptions {
  readonly now: Instant;
  readonly claim?: HeldClaim;
}

/** The arguments of every handler. */
export interface BaseCall {
  readonly context: HttpContext;
  readonly actor: Actor | null; // null = the route needs no credential
  readonly now: Instant;
  readonly request: RequestFacts;
  readonly commit: CommitReply;
}

/** Facts of the request that few handlers need: each is found out when a handler asks. */
export interface RequestFacts {
  /** For actors that an operation makes itself; the actor of the call already has its origin. */
  origin(): Origin;
  accept(): string | null; // the Accept header
  acceptEncoding(): string | null; // the Accept-Encoding header
  acceptLanguage(): string | null; // the Accept-Language header
  userAgent(): string | null; // the User-Agent header
  clientAddress(): string | null; // null = unknown
  /** False for a HEAD and for what a browser fetches before it shows the page. */
  isDisplayed(): boolean;
  /** The versions in If-Match; null = any version matches. */
  ifMatch(): readonly number[] | null;
  upload(): Upload;
}

interface RouteCall<A extends RouteAuth, P, Q, B> extends BaseCall {
  readonly actor: ActorFor<A>;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}

/** One operation of the interface. The OpenAPI document, the client and the tests derive from it. */
export interface RouteDefinition<
  A extends RouteAuth,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
> {
  readonly operationId: string;
  readonly summary: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly paths: readonly [string, ...string[]]; // the canonical one first, then aliases
  readonly surface: Surface;
  readonly auth: A;
  readonly role?: "administrator"; // OWNER or ADMIN; checked before the body is read and before a replay
  readonly uncounted?: boolean; // no rate limit refuses it
  readonly beforeSecondFactor?: true; // open to users who lack the second factor that their business demands
  readonly params: P;
  readonly query: Q;
  readonly body: BodySpec<B>;
  readonly bodyLimitBytes?: number; // default: that of the surface
  readonly success: Success<R>;
  /** Error statuses, apart from those that follow from the rest of the definition. */
  readonly refusals: readonly number[];
  readonly idempotent?: boolean; // accepts an Idempotency-Key
  readonly secret?: boolean; // the response must not be cached
  readonly download?: boolean | readonly OwnType[]; // the response is a file, not JSON
  readonly showRefused?: ShowRefused;
  readonly calculates?: boolean; // a POST of a link that writes nothing: a browser gets the page and is not redirected
  readonly handler: (
    call: RouteCall<A, z.output<P>, z.output<Q>, z.output<B>>,
  ) => Promise<Result<Reply<z.input<R>>, Problem>>;
}

/** The media types of files that the service makes itself. */
type OwnType = "application/pdf" | "text/html";

/** The input of a request before validation. */
export interface RawInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** A request whose input was refused. */
interface RefusedCall extends Pick<BaseCall, "context" | "now" | "request"> {
  readonly input: RawInput;
  readonly problem: Problem;
}

/** Shows a browser the page with its form again; null = the usual error. */
export type ShowRefused = (call: RefusedCall) => Promise<Result<Reply<unknown>, Problem> | null>;

export type PreparedCall = (call: BaseCall) => Promise<Result<Reply<unknown>, Problem>>;

/** A route without its type parameters, for the pipeline, the documentation and the tests. */
export interface Route {
  readonly operationId: string;
  readonly summary: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly paths: readonly [string, ...string[]];
  readonly surface: Surface;
  readonly auth: RouteAuth;
  readonly role?: "administrator";
  readonly uncounted: boolean;
  readonly beforeSecondFactor?: true; // open to users who lack the second factor that their business demands
  readonly params: z.ZodType;
  readonly query: z.ZodType;
  readonly body: BodySpec<z.ZodType>;
  readonly bodyLimitBytes: number;
  readonly success: Success<z.ZodType>;
  readonly refusals: readonly number[];
  readonly idempotent: boolean;
  readonly secret: boolean;
  readonly download: boolean | readonly OwnType[]; // media types = of files that the service makes
  readonly showRefused?: ShowRefused;
  readonly calculates?: boolean; // a POST of a link that writes nothing: a browser gets the page and is not redirected
  /** Validates the input. Errors: 400. */
  prepare(input: RawInput): Result<PreparedCall, Problem>;
}

const KIB = 1024;

/** A budget may have many items; the other inputs are short. */
const BODY_LIMITS: Readonly<Record<Surface, number>> = {
  public: 1024 * KIB,
  management: 16 * KIB,
  link: 32 * KIB, // a form needs up to nine bytes for each of the 2,000 characters of a reason
  meta: 16 * KIB,
};

/** Defines a route. The types of the handler follow from the schemas. */
export function defineRoute<
  const A extends RouteAuth,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
>(definition: RouteDefinition<A, P, Q, B, R>): Route {
  const { auth, handler, idempotent = false, secret = false, download = false, ...rest } = definition;
  const { uncounted = false, ...described } = rest;
  const readParams = inputReader(definition.params);
  const readQuery = inputReader(definition.query);
  const readBody = inputReader(definition.body.schema);
  return {
    bodyLimitBytes: BODY_LIMITS[definition.surface],
    ...described,
    auth,
    uncounted,
    idempotent,
    secret,
    download,
    prepare: (input) => {
      const params = readParams(input.params);
      if (params.isErr()) return err(params.error);
      const query = readQuery(input.query);
      if (query.isErr()) return err(query.error);
      const body = readBody(input.body);
      if (body.isErr()) return err(body.error);
      return ok(async ({ context, actor, now, request, commit }) => {
        if (!isActorFor(auth, actor)) return err(unauthorized);
        return handler({
          context,
          actor,
          now,
          request,
          commit,
          params: params.value,
          query: query.value,
          body: body.value,
        });
      });
    },
  };
}

function isActorFor<A extends RouteAuth>(auth: A, actor: Actor | null): actor is ActorFor<A> {
  if (auth.kind === "none") return actor === null;
  return actor?.kind === "user" || (auth.kind === "key" && actor?.kind === "key");
}
