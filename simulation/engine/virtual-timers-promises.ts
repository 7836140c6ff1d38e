/** Replaces `node:timers/promises`. */
export { nextTurn as setImmediate } from "./virtual-timers.js";
