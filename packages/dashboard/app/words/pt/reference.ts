import type { Words } from "../en.js";

export const reference: Words["reference"] = {
  intro: "Os programas usam a mesma interface que este painel: JSON sobre HTTP, com uma chave.",
  open: "Abrir a referência",
  opensTab: "abre em outra aba",
  openText: "Cada operação com seus campos, erros e exemplos.",
  missing: "Este serviço não tem página de referência. A descrição abaixo diz o mesmo aos programas.",
  address: "Endereço base",
  addressText: "Todas as rotas vêm depois dele.",
  firstCalls: "Primeiras chamadas",
  needsKey: "Coloque uma das suas chaves no lugar de YOUR_KEY.",
  toKeys: "Às chaves",
  listBudgets: "Listar orçamentos",
  createCustomer: "Criar um cliente",
  createBudget: "Criar um orçamento",
  createBudgetNote:
    "Coloque o id de um cliente no lugar de CUSTOMER_ID. A chave de idempotência torna uma repetição inofensiva.",
  sendLink: "Criar o link para o cliente",
  forPrograms: "Para programas",
  openApi: "Descrição OpenAPI 3.1",
  openApiText: "Para geradores de clientes e ferramentas como o Postman.",
  signingKeys: "Chaves públicas",
  signingKeysText: "Verificam a evidência de aceites e os pontos de controle do registro.",
};
