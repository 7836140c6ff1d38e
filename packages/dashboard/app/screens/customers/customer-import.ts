import type { CreateCustomer } from "@budgetkit/client";
import { api } from "../../start/api.js";
import { checkCuit, checkDni, checkEmail, checkId, digitsOf } from "../import/cell-checks.js";
import type { ImportKind } from "../import/import-kind.js";
import type { CustomerField } from "./customer-draft.js";

type CustomerImportField = CustomerField | "id";

export const customerImport: ImportKind<CustomerImportField, CreateCustomer> = {
  kind: "customers",
  fields: [
    {
      name: "name",
      isRequired: true,
      headers: [
        "full name",
        "customer",
        "client",
        "company",
        "nombre",
        "nombre y apellido",
        "cliente",
        "razón social",
        "empresa",
        "nome",
        "nome completo",
        "razão social",
      ],
    },
    { name: "email", isRequired: false, headers: ["mail", "e-mail", "correo", "correo electrónico"] },
    {
      name: "phone",
      isRequired: false,
      headers: ["telephone", "mobile", "cell", "teléfono", "tel", "celular", "móvil", "whatsapp", "telefone"],
    },
    {
      name: "taxCondition",
      isRequired: false,
      headers: [
        "tax condition",
        "tax status",
        "condición fiscal",
        "condición iva",
        "condición frente al iva",
        "condição fiscal",
      ],
    },
    { name: "cuit", isRequired: false, headers: ["cuit/cuil", "cuil", "tax id", "tax number", "nº cuit"] },
    { name: "dni", isRequired: false, headers: ["documento", "identity number", "national id", "nº documento"] },
    {
      name: "address",
      isRequired: false,
      headers: ["street address", "dirección", "domicilio", "direccion postal", "endereço"],
    },
    {
      name: "externalId",
      isRequired: false,
      headers: ["external id", "reference", "id externo", "referencia", "código", "referência", "code"],
    },
    { name: "id", isRequired: false, headers: ["customer id", "id de cliente", "id do cliente"] },
  ],
  numbers: [],
  percents: [],
  unique: ["cuit", "id"],
  inputOf: (reader) => {
    const name = reader.needed("name", 255);
    const cuit = reader.text("cuit", 32, checkCuit);
    const dni = reader.text("dni", 32, checkDni);
    const id = reader.text("id", 64, checkId);
    return {
      name,
      email: reader.text("email", 254, checkEmail),
      phone: reader.text("phone", 64),
      taxCondition: reader.text("taxCondition", 64),
      cuit: cuit === null ? null : digitsOf(cuit),
      dni: dni === null ? null : digitsOf(dni),
      address: reader.text("address", 2_000),
      externalId: reader.text("externalId", 255),
      ...(id === null ? {} : { id }),
    };
  },
  create: (input, options) => api.customers.create(input, options),
};
