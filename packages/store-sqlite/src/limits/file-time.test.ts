import { HOUR_MS, type Instant, MINUTE_MS } from "@budgetkit/core/store";
import { drawInteger, drawOne, FIXTURE_TIME, rounds, seededRandom } from "@budgetkit/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "../engine/database.js";
import { type TemporaryFolder, temporaryFolder } from "../testing/temporary-folder.js";
import { type LimitFile, limitFile } from "./limit-file.js";

const WINDOW = { lengthMs: HOUR_MS, limit: 5 };
const SUBJECTS = ["key:1:20", "key:1:21"];

describe("the limiter's file and a clock that is set back between starts", () => {
  let folder: TemporaryFolder;
  let path: string;
  let database: ReturnType<typeof openDatabase>;
  let uptime: number;
  let setBack: number;

  /** A process of the machine: its time is the clock at its start, and from then on the uptime. */
  function start(): { limits: LimitFile; now: () => Instant } {
    const behind = setBack;
    return {
      limits: limitFile(`${path}-limits`, database, () => uptime),
      now: () => FIXTURE_TIME + uptime - behind,
    };
  }

  beforeEach(() => {
    folder = temporaryFolder();
    path = folder.file("budgets.db");
    database = openDatabase(path);
    uptime = 7_000;
    setBack = 0;
  });

  afterEach(() => {
    database.close();
    folder.remove();
  });

  it("the file limiter admits what the elapsed hour allows, in processes from before and after a clock change", async () => {
    const random = seededRandom(3);
    const processes = [start(), start()];
    const admitted = new Map(SUBJECTS.map((subject): [string, Instant[]] => [subject, []]));
    for (const { limits, now } of processes) await limits.countConsumed("any", HOUR_MS, now());
    for (let step = 0; step < rounds({ small: 600, full: 5_000 }); step += 1) {
      uptime += drawInteger(random, 8) === 0 ? drawInteger(random, 40 * MINUTE_MS) : drawInteger(random, 2 * MINUTE_MS);
      if (drawInteger(random, 10) === 0) setBack += drawInteger(random, 5 * HOUR_MS);
      if (drawInteger(random, 10) === 0) {
        await processes.shift()?.limits.close();
        processes.push(start());
      }
      const { limits, now } = drawOne(random, processes);
      const subject = drawOne(random, SUBJECTS);
      const past = admitted.get(subject) ?? [];
      const counted = past.filter((at) => at > uptime - HOUR_MS);
      expect(await limits.countConsumed(subject, HOUR_MS, now())).toBe(counted.length);
      const admission = await limits.consume(subject, [WINDOW], now());
      const freesAt = now() + (counted[0] ?? uptime) + HOUR_MS - uptime;
      const refusal = counted.length < WINDOW.limit ? null : { window: 0, freesAt };
      if (refusal === null) past.push(uptime);
      expect(admission).toEqual({ used: counted.length + (refusal === null ? 1 : 0), freesAt, refusal });
      if (drawInteger(random, 20) === 0) await limits.pruneWindows(now(), 10);
    }
    for (const { limits } of processes) await limits.close();
  });

  it("the file limiter forgets nothing when the machine restarts with an earlier clock, and refuses for an hour at most", async () => {
    const first = start();
    for (let n = 0; n < WINDOW.limit; n += 1) await first.limits.consume("key", [WINDOW], first.now());
    await first.limits.close();
    uptime = 0;
    setBack = 24 * HOUR_MS;
    const second = start();
    const asked = async () => (await second.limits.consume("key", [WINDOW], second.now())).refusal === null;
    expect(await asked()).toBe(false);
    uptime += HOUR_MS - 1;
    expect(await asked()).toBe(false);
    uptime += 1;
    expect(await asked()).toBe(true);
    await second.limits.close();
  });

  it("the file limiter beside a process that began ahead refuses for an hour at most", async () => {
    const first = start();
    await first.limits.consume("other", [WINDOW], first.now());
    setBack = -10 * HOUR_MS;
    const second = start();
    for (let n = 0; n < WINDOW.limit; n += 1) await second.limits.consume("key", [WINDOW], second.now());
    await second.limits.close();
    const asked = async () => (await first.limits.consume("key", [WINDOW], first.now())).refusal === null;
    expect(await asked()).toBe(false);
    uptime += HOUR_MS - 1;
    expect(await asked()).toBe(false);
    uptime += 1;
    expect(await asked()).toBe(true);
    await first.limits.close();
  });

  it("the file limiter trusts a clock that is ahead at the start: the machine may have been off", async () => {
    const first = start();
    for (let n = 0; n < WINDOW.limit; n += 1) await first.limits.consume("key", [WINDOW], first.now());
    await first.limits.close();
    setBack = -HOUR_MS;
    const second = start();
    expect((await second.limits.consume("key", [WINDOW], second.now())).refusal).toBeNull();
    await second.limits.close();
  });
});
