import { httpSuite, type StartHost } from "@budgetkit/core/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { hosts } from "./http-hosts.js";
import { diary } from "./told-secrets.js";

const { logger, lines, listen, note, leaks, noted } = diary();
const ends: (() => void)[] = [];
let heard: () => Record<string, number> = () => ({});

beforeAll(() => {
  heard = listen((stop) => ends.push(stop));
  return () => {
    for (const end of ends) end();
  };
});

const noting: StartHost = async (service) => {
  const host = await hosts.fetch(service);
  return {
    ...host,
    send: async (request) => {
      const response = await host.send(request);
      note(request, response);
      return response;
    },
  };
};

describe("HTTP of a service that everybody listens to", () => {
  httpSuite({ describe, it }, noting, { service: { logger } });
});

describe("What it told meanwhile", () => {
  it("is much", () => {
    const told = heard();
    for (const level of ["info", "warn", "error"]) expect(lines[level], level).toBeGreaterThan(0);
    for (const [name, count] of Object.entries(told)) expect(count, name).toBeGreaterThan(0);
    expect(Object.keys(told)).toHaveLength(3);
  });

  it("holds no credential, nothing of a body or a query, and no secret that was given out", () => {
    heard();
    expect(leaks()).toEqual([]);
    expect(noted()).toBeGreaterThan(200);
  });
});
