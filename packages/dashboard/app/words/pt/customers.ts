import type { Words } from "../en.js";
import { pluralOf } from "../plural.js";
import { importing } from "./importing.js";
import { records } from "./records.js";

const plural = pluralOf("pt");

export const customers: Words["customers"] = {
  records,
  importing,
  newCustomer: "Novo cliente",
  editCustomer: "Editar cliente",
  importTitle: "Importar clientes",
  searchLabel: "Buscar clientes",
  theCustomer: "o cliente",
  added: "Cadastro",
  contact: "Contato",
  fields: {
    id: "Id",
    name: "Nome",
    email: "E-mail",
    phone: "Telefone",
    taxCondition: "Condição fiscal",
    cuit: "CUIT",
    dni: "DNI",
    address: "Endereço",
    externalId: "Id em outro sistema",
    metadata: "Dados próprios",
  },
  cuitHint: "11 dígitos",
  dniHint: "7 ou 8 dígitos",
  externalIdHint: "Por exemplo, o número na sua contabilidade.",
  emptyTitle: "Ainda não há clientes",
  emptyText: "Um orçamento é para um cliente. Crie um, ou importe os que você já tem.",
  goneTitle: "Este cliente não está aqui",
  goneText: "Foi excluído, ou o endereço está errado. Clientes excluídos podem ser restaurados na lista.",
  toDeleted: "À lista com excluídos",
  newBudget: "Novo orçamento",
  won: "Ganho",
  waiting: "Em espera",
  ofLast: (count) => plural(count, { one: "Do último orçamento", other: `Dos últimos ${count} orçamentos` }),
  noBudgetsTitle: "Ainda não há orçamentos",
  noBudgetsText: "Aqui aparece o que você oferece a este cliente.",
  budget: "Orçamento",
  firstLine: "Primeira linha",
  state: "Estado",
  created: "Criado",
  total: "Total",
};
