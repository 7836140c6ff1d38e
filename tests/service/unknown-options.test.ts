import { budgetkitHono } from "@budgetkit/adapter-hono";
import { createClient } from "@budgetkit/client";
import { redisLimiter } from "@budgetkit/limiter-redis";
import { postgresStore } from "@budgetkit/store-postgres";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { expect, it } from "vitest";

const factories = { sqliteStore, postgresStore, redisLimiter, budgetkitHono };

it.each<[keyof typeof factories, option: string, known: string]>([
  ["sqliteStore", "limitter", "limiter"],
  ["postgresStore", "shema", "schema"],
  ["redisLimiter", "timeoutms", "timeoutMs"],
  ["budgetkitHono", "peerAddress", "getPeerAddress"],
])("%s refuses an unknown option, %s, before it opens anything, and suggests the known one", (name, option, known) => {
  const create = () => Reflect.apply(factories[name], undefined, [":memory:", { [option]: "x" }]);
  expect(create).toThrow(RangeError);
  expect(create).toThrow(`${name} has no option "${option}"`);
  expect(create).toThrow(known);
});

it("createClient refuses an unknown option and lists the known ones", () => {
  const options = { baseUrl: "https://shop.example/v1", apikey: "x" };
  expect(() => createClient(options)).toThrow(RangeError);
  expect(() => createClient(options)).toThrow('createClient has no option "apikey". Options: baseUrl, apiKey,');
});
