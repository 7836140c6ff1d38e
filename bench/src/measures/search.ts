import type { BudgetService } from "@budgetkit/core";
import { type Benchmark, type Report, recorded } from "../harness/benchmark.js";
import { functionSide } from "../harness/function-side.js";
import { measureInTurn } from "../harness/rounds.js";
import type { Settings } from "../harness/settings.js";
import { type OurDatabase, ourDatabase } from "../ours/database.js";
import { openService } from "../ours/service.js";

/** Searches at once, none of which may be refused. */
const AT_ONCE = 40;

export const search: Benchmark = {
  title: "search of budgets",
  run: async (settings) => {
    const reports: Report[] = [];
    for (const budgets of sizesOf(settings)) {
      const { service, close } = openService((await ourDatabase(budgets)).path, "memory");
      reports.push(await measureSearch(service, await ourDatabase(budgets), settings));
      await close();
    }
    return joined(reports);
  },
};

/** The numbers of budgets that are searched. */
export function sizesOf({ manyBudgets }: Settings): readonly number[] {
  return [manyBudgets / 5, manyBudgets];
}

export function joined(reports: readonly Report[]): Report {
  return {
    measured: reports.flatMap(({ measured }) => measured),
    figures: reports.flatMap(({ figures }) => figures),
  };
}

/** The p99 of searches for texts that are found once, everywhere and nowhere, and how many of many at once succeed. */
export async function measureSearch(
  service: BudgetService,
  { budgets, businessId }: OurDatabase,
  settings: Settings,
): Promise<Report> {
  const actor = { kind: "system", businessId } as const;
  const find = async (text: string) => (await service.budgets.list(actor, { search: text }))._unsafeUnwrap();
  const size = `of ${budgets.toLocaleString("en-US")}`;
  const texts = {
    "few matches": "quote 317.",
    "in every budget": "warranty",
    "no match": "zebra crossing",
    "two letters, no match": "zq",
  };
  const measured = await measureInTurn(
    Object.entries(texts).map(([name, text]) =>
      functionSide(`${name}, ${size}`, async (count) => {
        for (let done = 0; done < count; done += 1) await find(text);
      }),
    ),
    settings,
  );
  const figures = measured.map(({ side, p99 }) => recorded(`search, p99: ${side}`, p99 / 1_000, "ms"));
  const before = performance.now();
  const answers = await Promise.allSettled(
    Array.from({ length: AT_ONCE }, (_, index) => find(Object.values(texts)[index % 4] ?? "")),
  );
  const refused = answers.filter(({ status }) => status === "rejected").length;
  if (refused > 0) throw new Error(`${refused} of ${AT_ONCE} searches at once were refused`);
  const took = performance.now() - before;
  figures.push(recorded(`${AT_ONCE} searches at once, ${size}`, took, "ms"));
  return { measured, figures };
}
