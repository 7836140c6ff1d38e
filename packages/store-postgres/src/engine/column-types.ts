import type { CustomTypesConfig } from "pg";

const BOOL = 16;
const INT8 = 20;
const INT2 = 21;
const INT4 = 23;
const JSON_TEXT = 114;
const FLOAT8 = 701;
const JSONB = 3802;

/** How columns are read, regardless of the type parsers that the application has set. Other types are text. */
export const COLUMN_TYPES: CustomTypesConfig = {
  getTypeParser: (oid: number) => (text: string) => parse(oid, text),
};

function parse(oid: number, text: string): unknown {
  switch (oid) {
    case INT2:
    case INT4:
    case INT8:
    case FLOAT8:
      return Number(text);
    case BOOL:
      return text === "t";
    case JSON_TEXT:
    case JSONB:
      return JSON.parse(text);
    default:
      return text;
  }
}
