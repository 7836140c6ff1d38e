export { API_VERSION } from "../kernel/version.js";
