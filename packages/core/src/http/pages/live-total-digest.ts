// Bundled from live-total.ts by tests/browser/live-total-script.test.ts, which fails when the sources have changed.
export const LIVE_TOTAL_DIGEST = "xxWxCKkBoR/qkKEV/TQ/iykN/XVdS7Q4mrYpjWRvRxY="; // SHA-256, in base64
