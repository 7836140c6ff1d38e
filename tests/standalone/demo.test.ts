import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { builtCommandLine } from "../programs/command-line.js";
import { startProgram, temporaryFolder } from "../programs/running-program.js";

const LINK = /\n {2}(http:\S+\/dashboard\/enter\?token=\S+)\n/;

it("a demo serves a made-up year, logs its owner in once by a link, and leaves nothing behind", async () => {
  const folder = temporaryFolder();
  const program = await builtCommandLine();
  const place = { PORT: "0", TMPDIR: folder };
  const demo = startProgram(program, place, folder, process.execPath, ["demo", "--serve"]);
  await expect.poll(() => LINK.exec(demo.printed()), { timeout: 120_000, interval: 200 }).not.toBeNull();
  const [, link = ""] = LINK.exec(demo.printed()) ?? [];
  const entered = await fetch(link, { redirect: "manual" });
  const [cookie = ""] = (entered.headers.get("set-cookie") ?? "").split(";");
  const session = await fetch(new URL("/dashboard/session", link), { headers: { cookie } });
  expect(JSON.parse(await session.text()).data).toMatchObject({ role: "OWNER", displayName: "Demo owner" });
  const budgets = await fetch(new URL("/dashboard/service/api/public/budgets?limit=1", link), { headers: { cookie } });
  expect(JSON.parse(await budgets.text()).pagination.total).toBeGreaterThan(400);
  expect((await fetch(link, { redirect: "manual" })).headers.get("set-cookie")).toBeNull();
  demo.signal("SIGTERM");
  expect(await demo.end).toBe(0);
  expect(readdirSync(folder)).toEqual([]);
});
