import { beforeAll, describe, expect, it } from "vitest";
import { quickServer } from "../programs/build-programs.js";
import { startProgram, temporaryFolder } from "../programs/running-program.js";
import { newRoster } from "../programs/worker-roster.js";

let main = "";
beforeAll(async () => {
  main = await quickServer();
});

describe("worker processes of the standalone server", () => {
  it("the other workers answer the requests that begin while a worker is dying", async () => {
    const roster = newRoster();
    const environment = { DATABASE_URL: `file:${temporaryFolder()}/b.db`, PORT: "0", WEB_CONCURRENCY: "2" };
    const program = startProgram(main, { ...environment, ...roster.environment });
    const url = await program.url;
    const [dying = 0] = roster.workers();
    process.kill(dying, "SIGSTOP"); // lives, but reacts to nothing
    const requests = Array.from({ length: 12 }, () => fetch(`${url}/healthz`, { headers: { connection: "close" } }));
    await Promise.race(requests);
    process.kill(dying, "SIGKILL");
    const answers = await Promise.all(requests);
    expect(answers.map(({ status }) => status)).toEqual(new Array(12).fill(200));
    program.signal("SIGTERM");
    expect(await program.end).toBe(0);
  });
});
