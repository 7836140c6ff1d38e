import type { Call, CallOptions, VersionOptions } from "./call.js";
import { type Download, readDownload } from "./download.js";
import { entriesOf } from "./entries.js";
import { formOf } from "./file-form.js";
import type { Operations } from "./operations.js";
import type {
  Business,
  BusinessEvent,
  CreateIntegration,
  Dashboard,
  Integration,
  KeyStatistics,
  LedgerCheckpoint,
  ListEventsQuery,
  Page,
  PageQuery,
  PreviewDocumentQuery,
  Sales,
  SalesQuery,
  StatisticsQuery,
  UpdateBusiness,
  UpdateIntegration,
} from "./schemas.js";
import { jsonOf, readData, type Transport } from "./transport.js";

/** Records of connected systems. Needs a login. */
export interface Integrations {
  create(input: CreateIntegration, options?: CallOptions): Call<Integration>;
  get(id: string, options?: CallOptions): Call<Integration>;
  /** One page, newest first. */
  list(query?: PageQuery, options?: CallOptions): Call<Page<Integration>>;
  /** All integrations, newest first; fetches the pages on demand. */
  each(query?: PageQuery, options?: CallOptions): AsyncGenerator<Integration, void, undefined>;
  /** Changes the given fields. */
  update(id: string, changes: UpdateIntegration, options?: CallOptions): Call<Integration>;
  delete(id: string, options?: CallOptions): Call<Operations["deleteIntegration"]["answer"]>;
}

export function createIntegrations({ send }: Transport): Integrations {
  const of = (integrationId: string) => ({ path: { integrationId } });
  const list: Integrations["list"] = (query, options) => send("listIntegrations", { query }, options);
  return {
    create: (body, options) => send("createIntegration", { body }, options),
    get: (id, options) => send("getIntegration", of(id), options),
    list,
    each: (query = {}, options) => entriesOf((page) => list(page, options), query),
    update: (id, body, options) => send("updateIntegration", { ...of(id), body }, options),
    delete: (id, options) => send("deleteIntegration", of(id), options),
  };
}

/** The caller's business, with the profile that customers see on its budgets. Needs a login. */
export interface OwnBusiness {
  get(options?: CallOptions): Call<Business>;
  /** Changes the given fields; null clears one. */
  update(changes: UpdateBusiness, options?: VersionOptions): Call<Business>;
  /** A sample budget as page, mail or PDF after the changes, which are not saved: read or cancel the stream. */
  preview(changes?: UpdateBusiness, query?: PreviewDocumentQuery, options?: CallOptions): Call<Download>;
  /** The logo as a stream. */
  getLogo(options?: CallOptions): Call<Download>;
  /** Sets the logo: a PNG, a JPEG or an SVG of at most 512 KiB. */
  setLogo(content: Blob, options?: CallOptions): Call<Business>;
  removeLogo(options?: CallOptions): Call<Business>;
}

export function createOwnBusiness({ send, request }: Transport): OwnBusiness {
  return {
    get: (options) => send("getBusiness", {}, options),
    update: (body, options) => send("updateBusiness", { body }, options),
    preview: (body = {}, query, options) =>
      request("previewBusiness", { query, content: jsonOf(body) }, options, readDownload),
    getLogo: (options) => request("getLogo", {}, options, readDownload),
    setLogo: (content, options) => request("setLogo", { content: formOf(content, {}) }, options, readData<Business>),
    removeLogo: (options) => send("removeLogo", {}, options),
  };
}

/** Usage of keys, and figures of the business. Needs a login. */
export interface Usage {
  /** The usage of an API key in a period that ends now. */
  statistics(keyId: string, query?: StatisticsQuery, options?: CallOptions): Call<KeyStatistics>;
  /** Figures on requests, keys, webhooks and budgets of the business. */
  dashboard(query?: StatisticsQuery, options?: CallOptions): Call<Dashboard>;
  /** The value of sent budgets by week, currency and outcome, and what is open. */
  sales(query?: SalesQuery, options?: CallOptions): Call<Sales>;
}

export function createUsage({ send }: Transport): Usage {
  return {
    statistics: (keyId, query, options) => send("getApiKeyStatistics", { path: { keyId }, query }, options),
    dashboard: (query, options) => send("getDashboardStatistics", { query }, options),
    sales: (query, options) => send("getSalesStatistics", { query }, options),
  };
}

/** The event log of the business. Needs a login. */
export interface Events {
  /** One page, newest first. */
  list(query?: ListEventsQuery, options?: CallOptions): Call<Page<BusinessEvent>>;
  /** All matches, newest first; fetches the pages on demand. */
  each(query?: ListEventsQuery, options?: CallOptions): AsyncGenerator<BusinessEvent, void, undefined>;
  /** A signed checkpoint of the last entry. `verifyCheckpoint` of `@budgetkit/client/evidence` verifies it. */
  checkpoint(options?: CallOptions): Call<LedgerCheckpoint>;
}

export function createEvents({ send }: Transport): Events {
  const list: Events["list"] = (query, options) => send("listEvents", { query }, options);
  return {
    list,
    each: (query = {}, options) => entriesOf((page) => list(page, options), query),
    checkpoint: (options) => send("getLedgerCheckpoint", {}, options),
  };
}
