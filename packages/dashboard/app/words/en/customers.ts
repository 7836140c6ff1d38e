import { pluralOf } from "../plural.js";
import { importing } from "./importing.js";
import { records } from "./records.js";

const plural = pluralOf("en");

export const customers = {
  records,
  importing,
  newCustomer: "New customer",
  editCustomer: "Edit customer",
  importTitle: "Import customers",
  searchLabel: "Search customers",
  theCustomer: "The customer",
  added: "Added",
  contact: "Contact",
  fields: {
    id: "Id",
    name: "Name",
    email: "Email",
    phone: "Phone",
    taxCondition: "Tax condition",
    cuit: "CUIT",
    dni: "DNI",
    address: "Address",
    externalId: "Id in another system",
    metadata: "Own data",
  },
  cuitHint: "11 digits",
  dniHint: "7 or 8 digits",
  externalIdHint: "Such as the number in your accounts.",
  emptyTitle: "No customers yet",
  emptyText: "A budget is for a customer. Create one, or import those that you have.",
  goneTitle: "This customer is not here",
  goneText: "It was deleted, or the address is wrong. Deleted customers can be restored in the list.",
  toDeleted: "To the list with deleted ones",
  newBudget: "New budget",
  won: "Won",
  waiting: "Waiting",
  ofLast: (count: number) => plural(count, { one: "Of the last budget", other: `Of the last ${count} budgets` }),
  noBudgetsTitle: "No budgets yet",
  noBudgetsText: "What you offer this customer is listed here.",
  budget: "Budget",
  firstLine: "First line",
  state: "State",
  created: "Created",
  total: "Total",
};
