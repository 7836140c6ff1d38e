import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import type { WriteOptions } from "../budgets/budget-context.js";
import type { Actor, Scope } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import type { Problem } from "../kernel/problem.js";
import { parseInput } from "../kernel/validation.js";
import type { Download } from "./download.js";
import type { HttpContext } from "./http-context.js";
import type { PublicDocument } from "./public-document.js";
import type { Upload } from "./upload.js";

/**
 * Who a route is made for, which decides the shape of its errors: flat on `public` and `link`, nested on `management`.
 * `link` answers people with a browser as well.
 */
export type Surface = "public" | "management" | "link" | "meta";

/** What a caller must show: nothing, an API key with a scope, or a login. */
export type RouteAuth =
  | { readonly kind: "none" }
  | { readonly kind: "key"; readonly scope: Scope }
  | { readonly kind: "user" };

type ActorFor<A extends RouteAuth> = A extends { kind: "none" } ? null : Extract<Actor, { kind: A["kind"] }>;

/**
 * How a route reads its body: not at all, as JSON that must be there or may be missing, perhaps as a form too; or it
 * takes one file from it as it arrives, and the body has no value before.
 */
export interface BodySpec<B extends z.ZodType> {
  readonly reading: "none" | "required" | "optional" | "file";
  readonly schema: B;
  /** Turns the fields of a form, which are all text, into what the schema reads; null = forms are not taken. */
  readonly fromForm: FormReader | null;
}

export type FormReader = (fields: Readonly<Record<string, string>>) => unknown;

export const noBody: BodySpec<z.ZodType> = { reading: "none", schema: z.unknown(), fromForm: null };

/** A form (`multipart/form-data`) with one file, in the part `file`; the handler reads it from `call.upload`. */
export const fileBody: BodySpec<z.ZodType> = { reading: "file", schema: z.unknown(), fromForm: null };

export function jsonBody<B extends z.ZodType>(schema: B): BodySpec<B> {
  return { reading: "required", schema, fromForm: null };
}

/** An empty body counts as an empty object; its type must be named all the same. */
export function optionalJsonBody<B extends z.ZodType>(schema: B): BodySpec<B> {
  return { reading: "optional", schema, fromForm: null };
}

export function jsonOrFormBody<B extends z.ZodType>(schema: B, fromForm: FormReader): BodySpec<B> {
  return { reading: "required", schema, fromForm };
}

/** For routes without parameters or without a query. */
export const nothing = z.object({});

/** How a route answers when all went well. */
interface Success<R extends z.ZodType> {
  readonly status: 200 | 201;
  readonly again?: 200; // when there was nothing left to do
  readonly schema: R;
  readonly headers?: readonly SuccessHeader[]; // of its JSON, besides those of every answer
}

type SuccessHeader = "etag" | "location";

/** What a successful request is answered with. */
export type Reply<Body> = JsonReply<Body> | PageReply | SeeOtherReply | DownloadReply | DocumentReply;

export interface JsonReply<Body> {
  readonly body: Body;
  readonly version?: number; // becomes the ETag
  /** Where the new resource is, from the root of the interface: `/api/public/budgets/1042`. */
  readonly location?: string;
  /** What was asked for was there already: the answer has the status `again` of the route. */
  readonly isAgain?: boolean;
}

interface PageReply {
  readonly html: string;
}

/** Sends a browser on after a form, so that loading the page again repeats nothing. */
interface SeeOtherReply {
  readonly seeOther: string; // from the root of the interface, as `location` is
}

/** JSON that was written before, and is the same for everybody. */
interface DocumentReply {
  readonly document: PublicDocument;
}

interface DownloadReply {
  readonly download: Download;
}

/**
 * Runs an operation that writes, such that what it commits carries the answer with it when the request has an
 * Idempotency-Key. `reply` turns the operation's view into the answer.
 */
export type Commit = <View, Body>(
  reply: (view: View) => Reply<Body>,
  run: (options: CommitOptions<View>) => Promise<Result<View, Problem>>,
) => Promise<Result<Reply<Body>, Problem>>;

type CommitOptions<View> = Pick<WriteOptions<View>, "receiptFor"> & { readonly now: Instant };

/** What the pipeline hands to every route. */
export interface BaseCall {
  readonly context: HttpContext;
  readonly actor: Actor | null; // null = the route asks for no credential
  readonly now: Instant;
  accept(): string | null; // the Accept header
  clientAddress(): string | null; // null = it cannot be told
  /** The versions that If-Match names; null = no such header, or any version will do. */
  ifMatch(): readonly number[] | null;
  readonly commit: Commit;
  readonly upload: Upload;
}

interface Call<A extends RouteAuth, P, Q, B> extends BaseCall {
  readonly actor: ActorFor<A>;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}

/** One operation of the interface: everything that is said about it anywhere is derived from this. */
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
  readonly role?: "administrator"; // OWNER or ADMIN; asked before anything is read or replayed
  readonly params: P;
  readonly query: Q;
  readonly body: BodySpec<B>;
  readonly bodyLimitBytes?: number; // default: that of the surface
  readonly success: Success<R>;
  /** Statuses of its refusals, apart from those that follow from the rest of the definition. */
  readonly refusals: readonly number[];
  readonly idempotent?: boolean; // honours Idempotency-Key
  readonly secret?: boolean; // its answer must not be stored anywhere
  readonly download?: boolean; // its answer is a file, in the place of JSON
  readonly handler: (
    call: Call<A, z.output<P>, z.output<Q>, z.output<B>>,
  ) => Promise<Result<Reply<z.input<R>>, Problem>>;
}

/** What a request brought, before any schema has looked at it. */
interface RawInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

export type PreparedCall = (call: BaseCall) => Promise<Result<Reply<unknown>, Problem>>;

/** A route as the pipeline, the documentation and the tests see it: its input types are closed over. */
export interface Route {
  readonly operationId: string;
  readonly summary: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly paths: readonly [string, ...string[]];
  readonly surface: Surface;
  readonly auth: RouteAuth;
  readonly role?: "administrator";
  readonly params: z.ZodType;
  readonly query: z.ZodType;
  readonly body: BodySpec<z.ZodType>;
  readonly bodyLimitBytes: number; // of the largest body that is read
  readonly success: Success<z.ZodType>;
  readonly refusals: readonly number[];
  readonly idempotent: boolean;
  readonly secret: boolean;
  readonly download: boolean;
  /** Reads the input by the schemas. Errors: 400. */
  prepare(input: RawInput): Result<PreparedCall, Problem>;
}

const KIB = 1024;

/** Budgets may be long; what anybody may send, and what people manage, is not. */
const BODY_LIMITS: Readonly<Record<Surface, number>> = {
  public: 1024 * KIB,
  management: 16 * KIB,
  link: 32 * KIB, // a reason of 2,000 characters takes nine bytes for each in a form
  meta: 16 * KIB,
};

/** Binds an operation to a path. The handler's types follow from the schemas. */
export function defineRoute<
  const A extends RouteAuth,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
>(definition: RouteDefinition<A, P, Q, B, R>): Route {
  const { auth, handler, idempotent = false, secret = false, download = false, ...described } = definition;
  return {
    bodyLimitBytes: BODY_LIMITS[definition.surface],
    ...described,
    auth,
    idempotent,
    secret,
    download,
    prepare: (input) => {
      const params = parseInput(definition.params, input.params);
      if (params.isErr()) return err(params.error);
      const query = parseInput(definition.query, input.query);
      if (query.isErr()) return err(query.error);
      const body = parseInput(definition.body.schema, input.body);
      if (body.isErr()) return err(body.error);
      return ok(async (call) => {
        const { actor } = call;
        if (!isActorFor(auth, actor)) return err({ kind: "unauthorized" });
        return handler({ params: params.value, query: query.value, body: body.value, ...call, actor });
      });
    },
  };
}

function isActorFor<A extends RouteAuth>(auth: A, actor: Actor | null): actor is ActorFor<A> {
  return auth.kind === "none" ? actor === null : actor?.kind === auth.kind;
}
