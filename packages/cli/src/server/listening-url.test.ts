import { describe, expect, it } from "vitest";
import { publicUrlOf } from "./listening-url.js";

describe("the public URL, which evidence and checkpoints name as their issuer", () => {
  it("takes the public URL from the setting, else from the address of the server below /v1", () => {
    const set = "https://quotes.example/v1";
    expect(publicUrlOf({ BUDGETKIT_PUBLIC_URL: set, HOST: "127.0.0.1" }, 3_000)).toBe(set);
    expect(publicUrlOf({ BUDGETKIT_PUBLIC_URL: null, HOST: "127.0.0.1" }, 3_001)).toBe("http://127.0.0.1:3001/v1");
    expect(publicUrlOf({ BUDGETKIT_PUBLIC_URL: null, HOST: "::1" }, 3_000)).toBe("http://[::1]:3000/v1");
    expect(publicUrlOf({ BUDGETKIT_PUBLIC_URL: null, HOST: "0.0.0.0" }, 3_000)).toBe("http://localhost:3000/v1");
  });
});
