import { expect, it } from "vitest";
import { writeDescription } from "./document.js";

it("writes the address of each service into its OpenAPI document, also after that of another", () => {
  const addresses = ["https://one.example/v1", "https://two.example/v1", "https://one.example/v1"];
  const documents = addresses.map(writeDescription);
  expect(documents.map(({ text }) => JSON.parse(text).servers)).toEqual(addresses.map((url) => [{ url }]));
  expect(documents[0]?.etag).toBe(documents[2]?.etag);
  expect(documents[0]?.etag).not.toBe(documents[1]?.etag);
});
