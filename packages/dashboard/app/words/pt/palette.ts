import type { Words } from "../en.js";
import { pluralOf } from "../plural.js";

const plural = pluralOf("pt");

export const palette: Words["palette"] = {
  hint: "Um número, um cliente, um produto ou o que fazer",
  results: "Resultados",
  nothing: "Nada encontrado",
  count: (count) => plural(count, { one: "1 resultado", other: `${count} resultados` }),
  products: "Produtos",
  goTo: "Ir para",
  do: "Fazer",
  on: (number) => `Com ${number}`,
  move: "mover",
  open: "abrir",
  actions: "ações",
  invite: "Convidar uma pessoa",
  newKey: "Nova chave de API",
  newEndpoint: "Novo destino de webhooks",
  theme: (name) => `Aparência: ${name}`,
  language: (name) => `Idioma: ${name}`,
  answer: "Responder ou escrever uma mensagem",
  copyLink: "Copiar o link do cliente",
  linkCopied: "O link foi copiado",
  remind: "Lembrar o cliente",
  extend: "Prorrogar a validade…",
  submit: "Apresentar o rascunho",
  withdraw: "Retirar para rascunho",
  complete: "Marcar como concluído",
  archive: "Arquivar",
  duplicate: "Copiar para um novo rascunho",
  done: {
    remind: "Lembrete enviado",
    submit: "Apresentado",
    withdraw: "Retirado para rascunho",
    complete: "Concluído",
    archive: "Arquivado",
    duplicate: "Copiado para um novo rascunho",
    restore: "Orçamento restaurado",
    delete: "Orçamento excluído",
  },
};
