import type { RequestListener } from "node:http";
import { budgetkitExpress } from "@budgetkit/adapter-express";
import { budgetkitHono } from "@budgetkit/adapter-hono";
import { type BudgetService, createBudgetService } from "@budgetkit/core";
import { httpSuite, memoryBlobStore, memoryStore, type StartHost } from "@budgetkit/testing";
import { getRequestListener } from "@hono/node-server";
import express, { type RequestHandler } from "express";
import { type Context, Hono } from "hono";
import { compress } from "hono/compress";
import { validator } from "hono/validator";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { listen } from "../hosts/http-hosts.js";

type HttpSuiteRunner = Parameters<typeof httpSuite>[0];

/** Runs the cases of the suite whose names match, and counts them. */
function runnerFor(wanted: RegExp): HttpSuiteRunner & { readonly count: () => number } {
  let count = 0;
  return {
    describe: (_title, body) => body(),
    it: (title, body) => {
      if (!wanted.test(title)) return;
      count += 1;
      it(title, body);
    },
    count: () => count,
  };
}

function honoWith(middleware: (context: Context) => unknown): StartHost {
  return (service: BudgetService) => {
    const app = new Hono();
    app.use(async (context, next) => {
      const type = context.req.header("content-type") ?? "";
      if (context.req.method !== "GET" && type.includes("form")) await middleware(context);
      await next();
    });
    app.route("/v1", budgetkitHono(service));
    return listen(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  };
}

const FORMS = /^accepts by a form|^downloads 65537|^drops other fields before/;
const PARSERS: readonly (readonly [name: string, wanted: RegExp, middleware: (context: Context) => unknown])[] = [
  ["c.req.formData()", FORMS, ({ req }) => req.formData()],
  ["c.req.parseBody()", FORMS, ({ req }) => req.parseBody()],
  ["c.req.arrayBuffer()", FORMS, ({ req }) => req.arrayBuffer()],
  ["c.req.blob()", FORMS, ({ req }) => req.blob()],
  ["c.req.text()", /^accepts by a form/, ({ req }) => req.text()],
  ["a copy of c.req.raw", FORMS, ({ req }) => req.raw.clone().formData()],
];

describe.each(PARSERS)("Hono behind a middleware that calls %s", (_name, wanted, middleware) => {
  const runner = runnerFor(wanted);
  httpSuite(runner, honoWith(middleware));
  afterAll(() => expect(runner.count()).toBe(wanted === FORMS ? 3 : 1));
});

describe("Hono behind a validator of forms", () => {
  const runner = runnerFor(/^accepts by a form/);
  httpSuite(runner, (service) => {
    const app = new Hono();
    app.use(
      "/v1/p/*",
      validator("form", (value) => value),
    );
    app.route("/v1", budgetkitHono(service));
    return listen(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  });
  afterAll(() => expect(runner.count()).toBe(1));
});

describe("Hono behind compress(), which weakens every ETag", () => {
  const runner = runnerFor(/If-Match|If-None-Match/);
  httpSuite(runner, (service) => {
    const app = new Hono();
    app.use(async (context, next) => {
      await next();
      const tag = context.res.headers.get("etag");
      if (tag?.startsWith('"') === true) context.res.headers.set("etag", `W/${tag}`); // as for a compressed body
    });
    app.use(compress());
    app.route("/v1", budgetkitHono(service));
    return listen(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  });
});

const ACCEPT = `/v1/p/${"A".repeat(43)}/accept`;
const form = () => new URLSearchParams({ version: "1" });
const upload = () => {
  const parts = new FormData();
  parts.append("file", new Blob([new Uint8Array([0x25, 0xff, 0xfe])]), "offer.pdf");
  return parts;
};
const resume: RequestHandler = (request, _response, next) => void request.resume().on("end", () => next());
/** As multer and express-fileupload leave a form: the fields in `body`, the files beside them. */
const takeFiles: RequestHandler = (request, _response, next) => {
  request.resume().on("end", () => next());
  Object.assign(request, { body: {}, files: [] });
};
const reading = (read: (context: Context) => unknown) => (app: Hono) =>
  app.use(async (context, next) => {
    await read(context);
    await next();
  });

const BUDGETS = "/v1/api/public/budgets";
const JSON_TYPE = { type: "application/json" };
const json = () => new Blob(["{}"], JSON_TYPE);
const notUtf8 = () => new Blob(['{"a":"', new Uint8Array([0xff]), '"}'], JSON_TYPE);

describe("a body that the host has taken is 400, and the message names what read it", () => {
  it.each([
    ["c.req.raw", reading(({ req }) => req.raw.formData()), form, ACCEPT],
    ["c.req.raw", reading(({ req }) => req.raw.arrayBuffer()), upload, null],
    ["c.req.text()", reading(({ req }) => req.text()), upload, null],
    ["c.req.text()", reading(({ req }) => req.text()), notUtf8, BUDGETS],
    ["c.req.text()", reading(({ req }) => req.json()), notUtf8, BUDGETS],
    ["c.req.text()", reading(({ req }) => req.text()), () => notUtf8().stream(), BUDGETS],
    ["c.req.formData()", reading(({ req }) => req.formData().catch(() => {})), json, BUDGETS],
  ] as const)("reports what read the body before, on Hono: %s", async (reader, prepare, body, path) => {
    const app = new Hono();
    prepare(app);
    const answer = await answerBehind(
      (service) => {
        app.route("/v1", budgetkitHono(service));
        return getRequestListener(app.fetch, { overrideGlobalObjects: false });
      },
      body(),
      path,
    );
    expect(answer.message).toContain(`by a middleware that `);
    expect(answer.message).toContain(reader);
    expect(answer.reported).toMatchObject([{ name: "BodyTaken" }]);
  });

  it.each([
    ["an upload", null, "The request has invalid fields."],
    ["a form", ACCEPT, "The body is incomplete."],
  ])("answers a body that failed in a Hono middleware as without it: %s", async (_name, path, message) => {
    const app = new Hono();
    reading(({ req }) => req.formData().catch(() => {}))(app);
    const answer = await answerBehind(
      (service) => {
        app.route("/v1", budgetkitHono(service));
        return getRequestListener(app.fetch, { overrideGlobalObjects: false });
      },
      new Blob(["--b"], { type: "multipart/form-data; boundary=b" }),
      path,
    );
    expect(answer).toEqual({ message, reported: [] });
  });

  it.each([
    ["nothing in req.body", resume, form, ACCEPT],
    ["in req.files", takeFiles, upload, null],
    ["in req.body", express.text({ type: "*/*" }), upload, null],
  ] as const)("reports what read the body before, on Express: %s", async (trace, parser, body, path) => {
    const answer = await answerBehind(
      (service) => {
        const app = express();
        app.use(parser);
        app.use("/v1", budgetkitExpress(service));
        return app;
      },
      body(),
      path,
    );
    expect(answer.message).toContain(trace);
    expect(answer.reported).toMatchObject([{ name: "BodyTaken" }]);
  });

  it("answers 400 for a body that was read before the fetch handler", async () => {
    const { service, reported } = startedService();
    const request = new Request(`http://a.example${ACCEPT}`, { method: "POST", body: form() });
    await request.text();
    const response = await service.fetch(request);
    expect(await response.json()).toMatchObject({ message: expect.stringContaining("called the handler") });
    expect(reported).toMatchObject([{ name: "BodyTaken" }]);
  });
});

function startedService() {
  const reported: unknown[] = [];
  const service = createBudgetService({
    store: memoryStore(),
    blobs: memoryBlobStore(),
    secret: "a secret that is long enough for it",
    onError: (error) => void reported.push(error),
  });
  onTestFinished(() => service.stop());
  return { service, reported };
}

/** Sends a body to a path of the service; null = as an attachment. */
async function answerBehind(
  listenerOf: (service: BudgetService) => RequestListener,
  body: FormData | URLSearchParams | Blob | ReadableStream,
  path: string | null,
) {
  const { service, reported } = startedService();
  const host = await listen(listenerOf(service));
  onTestFinished(() => host.close());
  const business = (await service.businesses.create({ name: "N" }))._unsafeUnwrap();
  const actor = { kind: "system", businessId: business.id } as const;
  const items = [{ description: "Table", quantity: 1, unitPrice: 1 }];
  const { id } = (await service.budgets.create(actor, { customerId: "ana", items }))._unsafeUnwrap();
  const scopes = ["WRITE_BUDGETS"] as const;
  const { key } = (await service.keys.create(actor, { name: "k", scopes: [...scopes] }))._unsafeUnwrap();
  const url = `http://127.0.0.1:${host.port}${path ?? `/v1/api/public/budgets/${id}/attachments`}`;
  const headers = new Headers({ authorization: `Bearer ${key}` });
  if (body instanceof ReadableStream) headers.set("content-type", JSON_TYPE.type);
  const response = await fetch(url, { method: "POST", body, headers, duplex: "half" });
  expect(response.status).toBe(400);
  return { message: String(Object(await response.json()).message), reported };
}
