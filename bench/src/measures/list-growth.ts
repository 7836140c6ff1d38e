import { type Benchmark, type Ratio, type Report, timeRatio } from "../harness/benchmark.js";
import { measureInTurn } from "../harness/rounds.js";
import { withServers } from "../harness/server-process.js";
import type { ServerKind } from "../harness/server-protocol.js";
import { serverSide } from "../harness/server-side.js";
import { FULL, type Settings } from "../harness/settings.js";
import { type OurDatabase, ourDatabase } from "../ours/database.js";
import { listsOfOurs } from "../ours/requests.js";
import { type OpenService, openService } from "../ours/service.js";

const PAGE = 10;
const DEEP_PAGE = 10_000;
const STRIDE = 100; // the largest page, to get there quickly

export const listGrowth: Benchmark = {
  title: "list page of 10 in a large business, beside a small one",
  run: async (settings) => {
    const small = await ourDatabase(settings.budgets);
    const large = await ourDatabase(settings.manyBudgets);
    const isFull = settings.manyBudgets === FULL.manyBudgets; // else the sizes are not those of the targets
    return measureGrowth({ kind: "hono", open: openService, small, large }, settings, {
      all: isFull ? "listGrowth" : { recorded: "list, p50: large business / small one" },
      byCursor: isFull ? "listCursor" : { recorded: "list by cursor, p50: deep page / first page" },
    });
  },
};

export interface Businesses {
  readonly kind: ServerKind;
  readonly open: (path: string, limiter: "memory") => Pick<OpenService, "service" | "close">;
  readonly small: OurDatabase;
  readonly large: OurDatabase;
}

export interface GrowthRatios {
  readonly all: Ratio; // of the first page without a filter
  readonly byCursor: Ratio;
}

/** What must not grow with the number of budgets, or with how far one has paged. */
export async function measureGrowth(
  { kind, open, small, large }: Businesses,
  settings: Settings,
  ratios: GrowthRatios,
): Promise<Report> {
  const page = Math.min(DEEP_PAGE, large.budgets / PAGE / 2);
  const first = await cursorBehind(open, large, 1);
  const deep = await cursorBehind(open, large, (page - 1) * PAGE);
  const servers = [
    { kind, path: small.path, limiter: "file" },
    { kind, path: large.path, limiter: "file" },
  ] as const;
  return withServers(servers, settings, async ([few, many]) => {
    if (!few || !many) throw new Error("a server is missing");
    const all = `limit=${PAGE}`;
    const byStatus = `limit=${PAGE}&status=PENDING`;
    const by = (cursor: string) => listsOfOurs(large, `limit=${PAGE}&cursor=${encodeURIComponent(cursor)}`);
    const [fewAll, manyAll, fewByStatus, manyByStatus, firstPage, deepPage] = await measureInTurn(
      [
        serverSide(`all of ${count(small)}`, few, listsOfOurs(small, all), settings),
        serverSide(`all of ${count(large)}`, many, listsOfOurs(large, all), settings),
        serverSide(`by status of ${count(small)}`, few, listsOfOurs(small, byStatus), settings),
        serverSide(`by status of ${count(large)}`, many, listsOfOurs(large, byStatus), settings),
        serverSide(`by cursor of ${count(large)}, behind the first budget`, many, by(first), settings),
        serverSide(`by cursor of ${count(large)}, page ${page.toLocaleString("en-US")}`, many, by(deep), settings),
      ],
      settings,
    );
    return {
      measured: [fewAll, manyAll, fewByStatus, manyByStatus, firstPage, deepPage],
      figures: [
        timeRatio(ratios.all, manyAll, fewAll),
        timeRatio({ recorded: "list by status, p50: large business / small one" }, manyByStatus, fewByStatus),
        timeRatio(ratios.byCursor, deepPage, firstPage),
      ],
    };
  });
}

function count({ budgets }: OurDatabase): string {
  return `${budgets.toLocaleString("en-US")} budgets`;
}

/** The cursor with which the list goes on behind that many budgets. */
async function cursorBehind(
  open: Businesses["open"],
  { path, businessId }: OurDatabase,
  budgets: number,
): Promise<string> {
  const { service, close } = open(path, "memory");
  let cursor: string | undefined;
  for (let behind = 0; behind < budgets; ) {
    const limit = Math.min(STRIDE, budgets - behind);
    const query = cursor === undefined ? { limit } : { limit, cursor };
    const list = (await service.budgets.list({ kind: "system", businessId }, query))._unsafeUnwrap();
    cursor = list.pagination.nextCursor ?? undefined;
    behind += limit;
  }
  await close();
  if (cursor === undefined) throw new Error("the list ended before the page");
  return cursor;
}
