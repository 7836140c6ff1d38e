import { uncounted } from "@budgetkit/core/store";
import { idToWrite } from "@budgetkit/store-kit";
import type { WriteHandlers } from "../commit/handlers.js";
import type { Statements } from "../engine/statements.js";

export function businessWrites(statements: Statements): Pick<WriteHandlers, "business" | "tier"> {
  const findVersion = statements.value("SELECT version FROM @businesses WHERE id = $1");
  const insert = statements.write(
    `INSERT INTO @businesses (id, name, tier, time_zone, created_at, version, profile)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
  );
  const replace = statements.write(
    "UPDATE @businesses SET name = $2, time_zone = $3, profile = $4, version = $5 WHERE id = $1",
  );
  const setTier = statements.write("UPDATE @businesses SET tier = $2 WHERE id = $1");

  return {
    business: ({ business, expected }) => {
      const { id, name, tier, timeZone, version, createdAt } = business;
      const profile = JSON.stringify(business.profile);
      if (expected === "absent") {
        idToWrite(id);
        const row = [name, tier, timeZone, createdAt, version, profile] as const;
        return async (open) => uncounted(() => insert(open, ...row));
      }
      const row = [name, timeZone, profile, version] as const;
      return async (open) =>
        (await findVersion(open)) === expected ? uncounted(() => replace(open, ...row)) : "stale";
    },

    tier:
      ({ tier }) =>
      async (open) =>
        (await findVersion(open)) === undefined ? "missing" : uncounted(() => setTier(open, tier)),
  };
}
