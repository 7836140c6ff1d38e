import { expect, it } from "vitest";
import { writeDescription } from "../../packages/core/src/http/openapi/document.js";
import { writeClientTypes } from "./types.js";

it("The client's types are those of the interface; `npm test -- tests/client/types -u` regenerates them", async () => {
  const { schemas, operations } = writeClientTypes(writeDescription("https://quotes.example/v1").text);
  await expect(schemas).toMatchFileSnapshot("../../packages/client/src/schemas.ts");
  await expect(operations).toMatchFileSnapshot("../../packages/client/src/operations.ts");
});
