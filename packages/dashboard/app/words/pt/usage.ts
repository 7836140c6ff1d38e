import type { Words } from "../en.js";
import { pluralOf } from "../plural.js";

const plural = pluralOf("pt");

export const usage: Words["usage"] = {
  period: "Período",
  periods: { "24h": "24 h", "7d": "7 d", "30d": "30 d", "90d": "90 d" },
  byDay: "Solicitações por dia",
  byKey: "Por chave",
  topEndpoints: "Rotas mais usadas",
  endpoint: "Rota",
  comparison: "Comparada com a primeira",
  share: "Parte",
  key: "Chave",
  peak: "Pico da hora",
  of: (value, limit) => `${value} de ${limit}`,
  success: "Bem-sucedidas",
  meanAnswer: "Resposta média",
  date: "Dia (UTC)",
  lanes: { requests: "Solicitações", errors: "Erros", latency: "Latência" },
  requestsCount: (count, text) => plural(count, { one: "1 solicitação", other: `${text} solicitações` }),
  errorsCount: (count, text) => plural(count, { one: "1 erro", other: `${text} erros` }),
  milliseconds: (value) => `${value} ms`,
  day: (date, requests, errors, latency) => `${date}: ${requests} solicitações, ${errors} erros, ${latency}`,
  none: "Sem solicitações",
  emptyTitle: "Ainda não há solicitações",
  emptyText: "Aqui é contada cada solicitação que um programa faz com uma das suas chaves.",
  toKeys: "Ir às chaves",
  toReference: "Ver como se faz uma solicitação",
};
