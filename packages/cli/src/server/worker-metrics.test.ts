import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { gatherMetrics } from "./worker-metrics.js";

/** A worker that says what it is told to: that it serves, and what it counted. It tells when it was asked. */
const PROGRAM = `
  const counted = (value) => [{ name: "calls_total", help: "Calls.", type: "counter", aggregator: "sum", values: [{ value, labels: {} }] }];
  process.on("message", ({ reading }) => {
    const count = Number(process.env.COUNT);
    process.send(count > 0 ? { kind: "metrics", reading, metrics: counted(count) } : { kind: "asked" });
  });
  process.send({ kind: process.env.SAYS });
`;

/** Starts a worker; one that counts nothing gives no answer. */
async function start(says: "serving" | "starting", count: number): Promise<Worker> {
  const folder = mkdtempSync(join(tmpdir(), "budgetkit-metrics-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const exec = join(folder, "program.mjs");
  writeFileSync(exec, PROGRAM);
  cluster.setupPrimary({ exec });
  const worker = cluster.fork({ SAYS: says, COUNT: String(count) });
  onTestFinished(async () => {
    if (worker.isDead()) return;
    worker.process.kill("SIGKILL");
    await once(worker, "exit");
  });
  await once(worker, "message");
  return worker;
}

it("reads the metrics of the workers that serve, and waits for none that starts or ends", async () => {
  const read = gatherMetrics();
  expect(await read()).not.toContain("calls_total");
  await start("serving", 2);
  await start("serving", 3);
  await start("starting", 0);
  expect(await read()).toContain("\ncalls_total 5\n");

  const silent = await start("serving", 0);
  const reading = read();
  await once(silent, "message");
  silent.process.kill("SIGKILL");
  expect(await reading).toContain("\ncalls_total 5\n");
  expect(await read()).toContain("\ncalls_total 5\n");
});

it("reports the worker process that gives no metrics", async () => {
  const read = gatherMetrics(2_000);
  await start("serving", 2);
  const silent = await start("serving", 0);
  await expect(read()).rejects.toThrow(`No metrics within 2 s from worker process ${silent.process.pid}.`);
});
