import pg from "pg";
import { expect, it } from "vitest";
import { nameIn } from "../engine/session.js";
import { migratedDatabase } from "../testing/fresh-database.js";

it("the lineage has the timeline where only pg_control_system() is refused, and the cluster where only the log is", async () => {
  const { url, query } = await migratedDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("SET ROLE pg_read_all_data"); // has no rights on functions beyond those of everyone
  const lineage = async () => (await client.query(nameIn("budgetkit")("SELECT @lineage() AS name"))).rows[0]?.name;
  try {
    expect(await lineage()).toMatch(/^\d{10,}\.\d+\.[1-9]\d*$/);
    await query("REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC");
    expect(await lineage()).toMatch(/^\.\d+\.[1-9]\d*$/);
    await query("REVOKE EXECUTE ON FUNCTION pg_walfile_name(pg_lsn) FROM PUBLIC");
    expect(await lineage()).toMatch(/^\.\d+\.0$/);
    await query("GRANT EXECUTE ON FUNCTION pg_control_system() TO PUBLIC");
    expect(await lineage()).toMatch(/^\d{10,}\.\d+\.0$/);
  } finally {
    await client.end();
  }
});
