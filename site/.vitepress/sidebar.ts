/** The pages, grouped by what the reader wants to do. */
export const sidebar = [
  group("Start", [
    ["Overview", "/"],
    ["Getting started", "/getting-started"],
    ["Concepts", "/concepts"],
  ]),
  group("Embed", [
    ["Embedding", "/embedding"],
    ["Host transactions", "/host-transactions"],
    ["Core", "/packages/core"],
    ["Hono adapter", "/packages/adapter-hono"],
    ["Express adapter", "/packages/adapter-express"],
    ["Example: Hono", "/examples/embed-hono"],
    ["Example: events", "/examples/event-consumer"],
    ["Example: Express", "/examples/embed-express"],
  ]),
  group("Use the API", [
    ["HTTP API", "/http"],
    ["TypeScript client", "/packages/client"],
    ["Budgets and states", "/budgets"],
    ["Mail", "/mail"],
    ["What the customer sees", "/customer"],
    ["Catalog", "/catalog"],
    ["Attachments", "/attachments"],
    ["Webhooks", "/webhooks"],
    ["Statistics", "/statistics"],
    ["Integrations", "/integrations"],
  ]),
  group("Operate", [
    ["Configuration", "/configuration"],
    ["Standalone server", "/examples/standalone"],
    ["Command line", "/packages/cli"],
    ["Stores and backups", "/stores"],
    ["SQLite store", "/packages/store-sqlite"],
    ["PostgreSQL store", "/packages/store-postgres"],
    ["Redis limiter", "/packages/limiter-redis"],
    ["For authors of stores", "/packages/store-kit"],
    ["Scaling", "/scaling"],
    ["Observability", "/observability"],
    ["PDF documents", "/packages/pdf"],
    ["Reference page", "/packages/reference"],
    ["Upgrades", "/upgrades"],
    ["Security", "/security"],
  ]),
  group("Extend", [
    ["Writing a store", "/writing-a-store"],
    ["Writing an adapter", "/writing-an-adapter"],
    ["Testing package", "/packages/testing"],
    ["Contributing", "/contributing"],
  ]),
  group("Reference", [
    ["Architecture", "/architecture"],
    ["Simulation", "/simulation"],
    ["Contract and tests", "/contract"],
    ["Benchmarks", "/bench"],
  ]),
];

function group(text: string, pages: readonly (readonly [text: string, link: string])[]) {
  return { text, collapsed: false, items: pages.map(([name, link]) => ({ text: name, link })) };
}
