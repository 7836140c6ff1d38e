import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { startWorkers } from "./workers.js";

/** Serves at once. Of two that start one after the other, one does not end when it is asked to. */
const PROGRAM = `
  import cluster from "node:cluster";
  if (cluster.worker.id % 2 === 0) process.on("SIGTERM", () => {});
  setInterval(() => {}, 1_000);
  process.send({ kind: "serving", announcement: "worker " + process.pid, port: 1 });
`;

it("kills worker processes that do not end in time, and logs which", async () => {
  const folder = mkdtempSync(join(tmpdir(), "budgetkit-workers-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = join(folder, "program.mjs");
  writeFileSync(program, PROGRAM);
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => said.mockRestore());

  const workers = startWorkers(program, 2, 1_000);
  const announcement = await workers.started;
  await workers.stop();
  const lines = said.mock.calls.map(([line]) => String(line));
  expect(lines).toEqual([expect.stringMatching(/^A worker process has not ended within 1 s; it is killed \(\d+\)\.$/)]);
  expect(lines[0]).not.toContain(announcement?.replace("worker ", ""));
});
