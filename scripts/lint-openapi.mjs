// Holds the OpenAPI document of the built service to the recommended rules of Redocly. Warnings fail too.
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { createBudgetService } from "../packages/core/dist/index.js";
import { memoryStore } from "../packages/testing/dist/index.js";

const service = createBudgetService({
  store: memoryStore(),
  secret: "a secret for tests that is long enough",
  publicBaseUrl: "https://quotes.example/v1",
});
const answer = await service.fetch(new Request("https://quotes.example/v1/openapi.json"));
const source = await answer.text();
const config = await createConfig({ extends: ["recommended"] });
const problems = await lintFromString({ source, absoluteRef: "openapi.json", config });
for (const { severity, ruleId, message, location } of problems) {
  console.log(`${severity} ${ruleId}: ${message} at ${location[0]?.pointer ?? "the whole"}`);
}
console.log(`${problems.length} problems in ${source.length} bytes.`);
process.exitCode = answer.status === 200 && problems.length === 0 ? 0 : 1;
