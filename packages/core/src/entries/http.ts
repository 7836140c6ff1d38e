/** The entry "@budgetkit/core/http", for adapters: the request and response of the service, and bodies. */

export { readableBodyOf, streamFetchBody } from "../http/body/byte-stream.js";
export { BodyTaken, type IncomingBody, receiveBody } from "../http/body/receive-body.js";
export { type FetchOptions, readFetchBody, targetOf, toFetchHandler } from "../http/fetch.js";
export type { ApiHandler, ApiRequest, ApiResponse, ApiService, ResponseBody } from "../http/message.js";
export { checkOptionNames, type OptionNames } from "../kernel/known-names.js";
