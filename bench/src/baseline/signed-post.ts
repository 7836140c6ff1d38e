import { Pool } from "undici";
import { signatureHeaders } from "../../../packages/core/src/signing/signature.js";
import { sampleBody } from "../ours/webhooks.js";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

/** Signs and sends what we send, and nothing else. */
export interface SignedPost {
  send(): Promise<void>;
  close(): Promise<void>;
}

export function openSignedPost(origin: string, connections: number): SignedPost {
  const pool = new Pool(origin, { connections });
  const body = sampleBody();
  return {
    send: async () => {
      const headers = signatureHeaders({ deliveryId: "4711", sentAt: Date.now(), body, secrets: [SECRET] });
      const answer = await pool.request({
        method: "POST",
        path: "/",
        headers: { "content-type": "application/json", ...headers },
        body,
      });
      await answer.body.dump();
      if (answer.statusCode !== 204) throw new Error(`the receiver answered ${answer.statusCode}`);
    },
    close: () => pool.close(),
  };
}
