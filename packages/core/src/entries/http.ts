/** The entry "@budgetkit/core/http", for adapters: the request and response of the service, and bodies. */

export { readableBodyOf, streamFetchBody } from "../http/body/byte-stream.js";
export { BodyTaken, type IncomingBody, receiveBody } from "../http/body/receive-body.js";
export { type FetchConnection, type FetchOptions, readFetchBody, targetOf, toFetchHandler } from "../http/fetch.js";
export { acceptsEncoding, prefersHtml, weightOf } from "../http/headers/negotiation.js";
export {
  type ApiHandler,
  type ApiRequest,
  type ApiResponse,
  type ApiService,
  JSON_TYPE,
  type ResponseBody,
} from "../http/message.js";
export { withoutVersion } from "../http/router.js";
export { checkOptionNames, type OptionNames } from "../kernel/known-names.js";
