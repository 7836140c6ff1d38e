import type { Words } from "../en.js";
import { pluralOf } from "../plural.js";

const plural = pluralOf("pt");

export const importing: Words["customers"]["importing"] = {
  open: "Importar",
  chooseFile: "Escolher um arquivo",
  dropText: "Solte aqui um arquivo CSV, ou escolha um.",
  limits: "Até 5 MB e 10.000 linhas. Vírgulas, pontos e vírgulas e tabulações são detectados.",
  paste: "Ou cole linhas de uma planilha",
  readPasted: "Ler as linhas coladas",
  fieldsThere: (fields) => `As colunas podem ser: ${fields}.`,
  fileProblems: {
    empty: "Não tem linhas.",
    tooLarge: "Tem mais de 5 MB. Divida em vários arquivos.",
    tooManyRows: "Tem mais de 10.000 linhas. Divida em vários arquivos.",
    tooManyColumns: "Tem mais de 100 colunas.",
    broken: "Não pode ser lido como CSV: uma célula entre aspas pode não ter fim.",
  },
  hasHeader: "A primeira linha tem os nomes das colunas",
  decimal: "Decimais",
  decimals: { comma: "1.250,50", point: "1,250.50" },
  columns: "O que é cada coluna",
  column: (number) => `Coluna ${number}`,
  fieldOf: (column) => `Campo de ${column}`,
  leftOut: "Não importar",
  missing: (fields) => `Escolha a coluna de: ${fields}.`,
  preview: "As primeiras linhas, como vão ficar",
  rowNumber: "Linha",
  problems: "Erros",
  summary: (right, wrong) =>
    wrong === 0
      ? plural(right, { one: "1 linha está certa.", other: `${right} linhas estão certas.` })
      : `${plural(right, { one: "1 linha está certa", other: `${right} linhas estão certas` })}; ${plural(wrong, {
          one: "1 tem erros e não é importada.",
          other: `${wrong} têm erros e não são importadas.`,
        })}`,
  start: (rows) => plural(rows, { one: "Importar 1 linha", other: `Importar ${rows} linhas` }),
  row: (line) => `Linha ${line}:`,
  rowField: (line, field) => `Linha ${line}, ${field}:`,
  moreProblems: (count) => `E mais ${count}.`,
  cellProblems: {
    required: "É obrigatório.",
    tooLong: "É longo demais.",
    email: "Não é um endereço de e-mail.",
    cuit: "Não é um CUIT válido de 11 dígitos.",
    dni: "Deve ter 7 ou 8 dígitos.",
    id: "Só pode ter letras, dígitos e . _ : -",
    number: "Não é um número.",
    negative: "Não pode ser negativo.",
    decimals: "Tem mais de 6 casas decimais.",
    rate: "Deve estar entre 0 e 100 %.",
    currency: "Deve ser um código, como BRL.",
    yesNo: "Escreva sim ou não.",
    twice: "Uma linha anterior tem o mesmo valor.",
  },
  sending: "Importando",
  stop: "Parar",
  progress: (done, total) => `${done} de ${total}`,
  paused: (seconds) =>
    `O limite de solicitações foi atingido. Continua em ${plural(seconds, { one: "1 segundo", other: `${seconds} segundos` })}.`,
  resultTitle: "Importação concluída",
  result: (created, left) =>
    left === 0
      ? plural(created, { one: "1 linha importada.", other: `${created} linhas importadas.` })
      : `${plural(created, { one: "1 linha importada", other: `${created} linhas importadas` })}, ${left} não.`,
  failedHint: "Baixe as linhas que não foram importadas, corrija e importe esse arquivo.",
  notSent: "Não foi enviada.",
  errorColumn: "erro",
  downloadFailed: (rows) => plural(rows, { one: "Baixar 1 linha", other: `Baixar ${rows} linhas` }),
  sendAgain: (rows) => plural(rows, { one: "Enviar de novo 1 linha", other: `Enviar de novo ${rows} linhas` }),
};
