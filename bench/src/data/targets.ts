/** What each ratio or figure must reach. A benchmark reports a figure under the name of its row. */
export const targets = {
  getItems: atLeast("get", "GET by id, SQLite, Hono", "hand-written, items in a table", 1.2),
  getDocument: atLeast("get", "GET by id, SQLite, Hono", "hand-written, stored document", 0.65),
  getExpress: atLeast("get-express", "GET by id, SQLite, Express 5", "bare Express 5", 0.85),
  getWithKey: atLeast("get-better-auth", "GET with a key", "Express + better-auth", 15),
  publicPage: atMost("public-page", "page of a public link, p50", "GET by id", 2),
  operation: atMost("operation", "service.budgets.get, p50", "statement and JSON.parse", 1.4),
  create: atLeast("create", "create, SQLite, synchronous=FULL", "hand-written, a transaction each", 2.3),
  createPostgres: atLeast("postgres-create", "create, PostgreSQL, HTTP", "hand-written, a transaction each", 1.6),
  createStatement: atLeast("postgres-create", "create, PostgreSQL, HTTP", "hand-written, a statement each", 1),
  createInProcess: atLeast("postgres-create-in-process", "create, PostgreSQL, in process", "a transaction each", 3.2),
  getPostgres: atLeast("postgres-get", "GET by id, PostgreSQL", "hand-written, cached key and two queries", 1.2),
  deliveries: atLeast("deliveries", "deliveries, SQLite, 50 at a time", "bare loop", 0.55),
  ordered: atLeast("ordered-deliveries", "ordered deliveries, SQLite, 1,000 subjects", null, 500, "per second"),
  orderedPostgres: atLeast(
    "postgres-ordered-deliveries",
    "ordered deliveries, PostgreSQL, 1,000 subjects",
    null,
    500,
    "per second",
  ),
  deliveriesPgBoss: atLeast("postgres-deliveries", "deliveries, PostgreSQL", "pg-boss, in batches", 2.5),
  deliveriesGraphile: atLeast("postgres-deliveries", "deliveries, PostgreSQL", "graphile-worker, tuned", 1.1),
  commitToPost: atMost("postgres-delivery-latency", "commit to POST, PostgreSQL, p50", "graphile-worker", 0.8),
  keyVerification: atLeast("key-verification", "key verification, windows in memory", "better-auth", 105),
  limiter: atLeast("limiter", "limiter decision, both windows", "two of rate-limiter-flexible", 5),
  totals: atLeast("totals", "totals of 1,000 items", "dinero.js, the same figures", 50),
  pricing: atMost("pricing", "prices of 500 configured lines, 8 taxes, 20 choices, p50", null, 2, "ms"),
  listGrowth: atMost("list-growth", "list, SQLite, p50, 1 million budgets", "10 thousand budgets", 1.2),
  listCursor: atMost("list-growth", "list by cursor, SQLite, p50, page 10,000", "page 1", 1.2),
  startUp: atMost("start-up", "start-up to the first answer", null, 500, "ms"),
  idleMemory: atMost("idle-memory", "idle memory, 100 thousand keys seen", null, 150, "MB"),
} as const satisfies Readonly<Record<string, Target>>;

export type TargetName = keyof typeof targets;

export interface Target {
  readonly benchmark: string; // that measures it
  readonly what: string;
  readonly beside: string | null; // null = the figure is not a ratio
  readonly kind: "at-least" | "at-most";
  readonly value: number;
  readonly unit: Unit;
}

export type Unit = "×" | "MB" | "ms" | "per second";

function atLeast(benchmark: string, what: string, beside: string | null, value: number, unit: Unit = "×"): Target {
  return { benchmark, what, beside, kind: "at-least", value, unit };
}

function atMost(benchmark: string, what: string, beside: string | null, value: number, unit: Unit = "×"): Target {
  return { benchmark, what, beside, kind: "at-most", value, unit };
}

export function isMet({ kind, value }: Target, figure: number): boolean {
  return kind === "at-least" ? figure >= value : figure <= value;
}
