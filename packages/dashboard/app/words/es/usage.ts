import type { Words } from "../en.js";
import { pluralOf } from "../plural.js";

const plural = pluralOf("es");

export const usage: Words["usage"] = {
  period: "Período",
  periods: { "24h": "24 h", "7d": "7 d", "30d": "30 d", "90d": "90 d" },
  byDay: "Solicitudes por día",
  byKey: "Por clave",
  topEndpoints: "Rutas más usadas",
  endpoint: "Ruta",
  comparison: "Comparada con la primera",
  share: "Parte",
  key: "Clave",
  peak: "Pico de la hora",
  of: (value, limit) => `${value} de ${limit}`,
  success: "Exitosas",
  meanAnswer: "Respuesta media",
  date: "Día (UTC)",
  lanes: { requests: "Solicitudes", errors: "Errores", latency: "Latencia" },
  requestsCount: (count, text) => plural(count, { one: "1 solicitud", other: `${text} solicitudes` }),
  errorsCount: (count, text) => plural(count, { one: "1 error", other: `${text} errores` }),
  milliseconds: (value) => `${value} ms`,
  day: (date, requests, errors, latency) => `${date}: ${requests} solicitudes, ${errors} errores, ${latency}`,
  none: "Sin solicitudes",
  emptyTitle: "Todavía no hay solicitudes",
  emptyText: "Aquí se cuenta cada solicitud que un programa hace con una de sus claves.",
  toKeys: "Ir a las claves",
  toReference: "Ver cómo se hace una solicitud",
};
