import type { Words } from "../en.js";
import { pluralOf } from "../plural.js";

const plural = pluralOf("es");

export const palette: Words["palette"] = {
  hint: "Un número, un cliente, un producto o qué hacer",
  results: "Resultados",
  nothing: "No se encontró nada",
  count: (count) => plural(count, { one: "1 resultado", other: `${count} resultados` }),
  products: "Productos",
  goTo: "Ir a",
  do: "Hacer",
  on: (number) => `Con ${number}`,
  move: "mover",
  open: "abrir",
  actions: "acciones",
  invite: "Invitar a una persona",
  newKey: "Nueva clave de API",
  newEndpoint: "Nuevo destino de webhooks",
  theme: (name) => `Apariencia: ${name}`,
  language: (name) => `Idioma: ${name}`,
  answer: "Responder o escribir un mensaje",
  copyLink: "Copiar el enlace del cliente",
  linkCopied: "El enlace está copiado",
  remind: "Recordar al cliente",
  extend: "Extender la validez…",
  submit: "Presentar el borrador",
  withdraw: "Retirar a borrador",
  complete: "Marcar como completado",
  archive: "Archivar",
  duplicate: "Copiar a un borrador nuevo",
  done: {
    remind: "Recordatorio enviado",
    submit: "Presentado",
    withdraw: "Retirado a borrador",
    complete: "Completado",
    archive: "Archivado",
    duplicate: "Copiado a un borrador nuevo",
    restore: "Presupuesto restaurado",
    delete: "Presupuesto eliminado",
  },
};
