/** For those who write adapters: how a request reaches the service and how its answer leaves it. */
export { type FetchOptions, readFetchBody, targetOf, toFetchHandler } from "./http/fetch.js";
export type { ApiHandler, ApiRequest, ApiResponse, ApiService } from "./http/message.js";
