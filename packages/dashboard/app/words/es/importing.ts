import type { Words } from "../en.js";
import { pluralOf } from "../plural.js";

const plural = pluralOf("es");

export const importing: Words["customers"]["importing"] = {
  open: "Importar",
  chooseFile: "Elegir un archivo",
  dropText: "Suelte aquí un archivo CSV, o elija uno.",
  limits: "Hasta 5 MB y 10.000 filas. Las comas, los puntos y coma y las tabulaciones se detectan solas.",
  paste: "O pegue filas de una planilla",
  readPasted: "Leer las filas pegadas",
  fieldsThere: (fields) => `Las columnas pueden ser: ${fields}.`,
  fileProblems: {
    empty: "No tiene filas.",
    tooLarge: "Supera los 5 MB. Divídalo en varios archivos.",
    tooManyRows: "Tiene más de 10.000 filas. Divídalo en varios archivos.",
    tooManyColumns: "Tiene más de 100 columnas.",
    broken: "No se puede leer como CSV: puede haber una celda entre comillas sin cerrar.",
  },
  hasHeader: "La primera fila tiene los nombres de las columnas",
  decimal: "Decimales",
  decimals: { comma: "1.250,50", point: "1,250.50" },
  columns: "Qué es cada columna",
  column: (number) => `Columna ${number}`,
  fieldOf: (column) => `Campo de ${column}`,
  leftOut: "No importar",
  missing: (fields) => `Elija la columna de: ${fields}.`,
  preview: "Las primeras filas, tal como quedarán",
  rowNumber: "Fila",
  problems: "Errores",
  summary: (right, wrong) =>
    wrong === 0
      ? plural(right, { one: "1 fila es correcta.", other: `${right} filas son correctas.` })
      : `${plural(right, { one: "1 fila es correcta", other: `${right} filas son correctas` })}; ${plural(wrong, {
          one: "1 tiene errores y no se importa.",
          other: `${wrong} tienen errores y no se importan.`,
        })}`,
  start: (rows) => plural(rows, { one: "Importar 1 fila", other: `Importar ${rows} filas` }),
  row: (line) => `Fila ${line}:`,
  rowField: (line, field) => `Fila ${line}, ${field}:`,
  moreProblems: (count) => `Y ${count} más.`,
  cellProblems: {
    required: "Es obligatorio.",
    tooLong: "Es demasiado largo.",
    email: "No es una dirección de correo.",
    cuit: "No es un CUIT válido de 11 dígitos.",
    dni: "Debe tener 7 u 8 dígitos.",
    id: "Solo puede tener letras, dígitos y . _ : -",
    number: "No es un número.",
    negative: "No puede ser negativo.",
    decimals: "Tiene más de 6 decimales.",
    rate: "Debe estar entre 0 y 100 %.",
    currency: "Debe ser un código, como ARS.",
    yesNo: "Escriba sí o no.",
    twice: "Una fila anterior tiene el mismo valor.",
  },
  sending: "Importando",
  stop: "Detener",
  progress: (done, total) => `${done} de ${total}`,
  paused: (seconds) =>
    `Se alcanzó el límite de solicitudes. Sigue en ${plural(seconds, { one: "1 segundo", other: `${seconds} segundos` })}.`,
  resultTitle: "Importación terminada",
  result: (created, left) =>
    left === 0
      ? plural(created, { one: "1 fila importada.", other: `${created} filas importadas.` })
      : `${plural(created, { one: "1 fila importada", other: `${created} filas importadas` })}, ${left} no.`,
  failedHint: "Descargue las filas que no se importaron, corríjalas e importe ese archivo.",
  notSent: "No se envió.",
  errorColumn: "error",
  downloadFailed: (rows) => plural(rows, { one: "Descargar 1 fila", other: `Descargar ${rows} filas` }),
  sendAgain: (rows) => plural(rows, { one: "Enviar de nuevo 1 fila", other: `Enviar de nuevo ${rows} filas` }),
};
