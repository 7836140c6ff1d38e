import type { Words } from "../en.js";
import { pluralOf } from "../plural.js";
import { importing } from "./importing.js";
import { records } from "./records.js";

const plural = pluralOf("es");

export const customers: Words["customers"] = {
  records,
  importing,
  newCustomer: "Nuevo cliente",
  editCustomer: "Editar cliente",
  importTitle: "Importar clientes",
  searchLabel: "Buscar clientes",
  theCustomer: "el cliente",
  added: "Alta",
  contact: "Contacto",
  fields: {
    id: "Id",
    name: "Nombre",
    email: "Correo electrónico",
    phone: "Teléfono",
    taxCondition: "Condición fiscal",
    cuit: "CUIT",
    dni: "DNI",
    address: "Domicilio",
    externalId: "Id en otro sistema",
    metadata: "Datos propios",
  },
  cuitHint: "11 dígitos",
  dniHint: "7 u 8 dígitos",
  externalIdHint: "Por ejemplo, el número en su contabilidad.",
  emptyTitle: "Todavía no hay clientes",
  emptyText: "Un presupuesto es para un cliente. Cree uno, o importe los que ya tiene.",
  goneTitle: "Este cliente no está",
  goneText: "Se eliminó, o la dirección es errónea. Los clientes eliminados se restauran en la lista.",
  toDeleted: "A la lista con eliminados",
  newBudget: "Nuevo presupuesto",
  won: "Ganado",
  waiting: "En espera",
  ofLast: (count) => plural(count, { one: "Del último presupuesto", other: `De los últimos ${count} presupuestos` }),
  noBudgetsTitle: "Todavía no hay presupuestos",
  noBudgetsText: "Aquí se lista lo que le ofrece a este cliente.",
  budget: "Presupuesto",
  firstLine: "Primera línea",
  state: "Estado",
  created: "Creado",
  total: "Total",
};
