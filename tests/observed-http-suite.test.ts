import { httpSuite, type StartHost } from "@budgetkit/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { hosts } from "./http-hosts.js";
import { recordTelemetry } from "./logged-secrets.js";

const { logger, lines, subscribe, record, leaks, secrets } = recordTelemetry();
let recordsByChannel: () => Record<string, number> = () => ({});

beforeAll(() => {
  const ends: (() => void)[] = [];
  recordsByChannel = subscribe((stop) => ends.push(stop));
  return () => {
    for (const end of ends) end();
  };
});

const recording: StartHost = async (service) => {
  const host = await hosts.fetch(service);
  return {
    ...host,
    send: async (request) => {
      const response = await host.send(request);
      record(request, response);
      return response;
    },
  };
};

describe("HTTP of a service with a logger and subscribers on every channel", () => {
  httpSuite({ describe, it }, recording, { service: { logger } });
});

describe("What it logged and published", () => {
  it("is something at every level and on every channel", () => {
    const counts = recordsByChannel();
    for (const level of ["info", "warn", "error"]) expect(lines[level], level).toBeGreaterThan(0);
    for (const [name, count] of Object.entries(counts)) expect(count, name).toBeGreaterThan(0);
    expect(Object.keys(counts)).toHaveLength(3);
  });

  it("holds no credential, nothing of a body or a query, and no secret that was given out", () => {
    recordsByChannel(); // collects the records
    expect(leaks()).toEqual([]);
    expect(secrets()).toBeGreaterThan(200);
  });
});
