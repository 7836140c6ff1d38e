/** For those who write adapters: how a request reaches the service and how its answer leaves it. */
export { readableBodyOf, streamFetchBody } from "./http/byte-stream.js";
export { type FetchOptions, readFetchBody, targetOf, toFetchHandler } from "./http/fetch.js";
export type { ApiHandler, ApiRequest, ApiResponse, ApiService, ResponseBody } from "./http/message.js";
