import { pluralOf } from "../plural.js";

const plural = pluralOf("en");

export const usage = {
  period: "Period",
  periods: { "24h": "24 h", "7d": "7 d", "30d": "30 d", "90d": "90 d" },
  byDay: "Requests by day",
  byKey: "By key",
  topEndpoints: "Top endpoints",
  endpoint: "Endpoint",
  comparison: "Compared with the first",
  share: "Share",
  key: "Key",
  peak: "Peak of the hour",
  of: (value: string, limit: string) => `${value} of ${limit}`,
  success: "Successful",
  meanAnswer: "Mean answer",
  date: "Day (UTC)",
  lanes: { requests: "Requests", errors: "Errors", latency: "Latency" },
  requestsCount: (count: number, text: string) => plural(count, { one: "1 request", other: `${text} requests` }),
  errorsCount: (count: number, text: string) => plural(count, { one: "1 error", other: `${text} errors` }),
  milliseconds: (value: string) => `${value} ms`,
  day: (date: string, requests: string, errors: string, latency: string) =>
    `${date}: ${requests} requests, ${errors} errors, ${latency}`,
  none: "No requests",
  emptyTitle: "No requests yet",
  emptyText: "Every request that a program makes with one of your keys is counted here.",
  toKeys: "Go to the keys",
  toReference: "See how a request is made",
};
