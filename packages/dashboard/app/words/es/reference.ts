import type { Words } from "../en.js";

export const reference: Words["reference"] = {
  intro: "Los programas usan la misma interfaz que este panel: JSON sobre HTTP, con una clave.",
  open: "Abrir la referencia",
  opensTab: "se abre en otra pestaña",
  openText: "Cada operación con sus campos, errores y ejemplos.",
  missing: "Este servicio no tiene página de referencia. La descripción de abajo dice lo mismo a los programas.",
  address: "Dirección base",
  addressText: "Todas las rutas la siguen.",
  firstCalls: "Primeras llamadas",
  needsKey: "Ponga una de sus claves en lugar de YOUR_KEY.",
  toKeys: "A las claves",
  listBudgets: "Listar presupuestos",
  createCustomer: "Crear un cliente",
  createBudget: "Crear un presupuesto",
  createBudgetNote:
    "Ponga el id de un cliente en lugar de CUSTOMER_ID. La clave de idempotencia hace inofensiva una repetición.",
  sendLink: "Crear el enlace para el cliente",
  forPrograms: "Para programas",
  openApi: "Descripción OpenAPI 3.1",
  openApiText: "Para generadores de clientes y herramientas como Postman.",
  signingKeys: "Claves públicas",
  signingKeysText: "Verifican la evidencia de aceptaciones y los puntos de control del registro.",
};
