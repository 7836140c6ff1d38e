import BetterSqlite3 from "better-sqlite3";
import { baselineDatabase } from "../baseline/database.js";
import { BUSINESS } from "../baseline/inserts.js";
import { type Benchmark, timeRatio } from "../harness/benchmark.js";
import { functionSide } from "../harness/function-side.js";
import { measureInTurn } from "../harness/rounds.js";
import { ourDatabase } from "../ours/database.js";
import { openService } from "../ours/service.js";

export const operation: Benchmark = {
  title: "service.budgets.get in process, beside a prepared statement and JSON.parse",
  run: async (settings) => {
    const ours = await ourDatabase(settings.budgets);
    const theirs = baselineDatabase(settings.budgets);
    const { service, close } = openService(ours.path, "memory");
    const database = new BetterSqlite3(theirs.path, { readonly: true });
    const document = database
      .prepare<[number, number], string>("SELECT document FROM documents WHERE business_id = ? AND id = ?")
      .pluck();
    const actor = { kind: "system", businessId: ours.businessId } as const;
    let next = 0;
    const nextIndex = () => {
      next = (next + 7_919) % settings.budgets;
      return next;
    };
    const [operation, statement] = await measureInTurn(
      [
        functionSide("service.budgets.get", async (count) => {
          for (let done = 0; done < count; done += 1) {
            const found = await service.budgets.get(actor, String(ours.firstId + nextIndex()));
            if (found.isErr()) throw new Error("the budget was not found");
          }
        }),
        functionSide("prepared statement and JSON.parse", (count) => {
          for (let done = 0; done < count; done += 1) JSON.parse(document.get(BUSINESS, 1 + nextIndex()) ?? "");
        }),
      ],
      settings,
    );
    database.close();
    await close();
    return {
      measured: [operation, statement],
      figures: [timeRatio("operation", operation, statement)],
    };
  },
};
