// What core uses of jose. It is loaded with the first token or the first evidence at the latest: many hosts need neither.
// jose has no CommonJS, so the CommonJS build includes these functions (tsup.config.ts).
export { decodeProtectedHeader, FlattenedSign, flattenedVerify, jwtVerify, SignJWT } from "jose";
