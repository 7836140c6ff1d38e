import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Symbol as Declared,
  type Project,
  SignatureKind,
  SymbolFlags,
  type Type,
  TypeFlags,
} from "typescript-native/unstable/sync";
import { beforeAll, expect, it } from "vitest";
import { inProject } from "./type-checker.js";

const ROOT = join(import.meta.dirname, "../../..");
const ENTRY = join(ROOT, "packages/core/src/entries/index.ts");

/** Unions whose members have names that say what they are; the comment of the union describes them. */
const UNIONS = new Set(["Actor", "Problem", "SendOutcome", "SendRequest", "WebhookVerification", "RuleDetails"]);

let fields: readonly Field[] = [];
beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), "budgetkit-types-"));
  try {
    const settings = { extends: join(ROOT, "tsconfig.base.json"), compilerOptions: { types: [] }, files: [ENTRY] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
    fields = inProject(folder, fieldsOfEntry);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it("every field of each type that applications import has a comment", () => {
  expect(fields.length).toBeGreaterThan(700);
  expect(fields.filter(({ comment }) => comment === "").map(({ path }) => path)).toEqual([]);
});

it("shows the comment of an input and of a result in the editor", () => {
  const comments = new Map(fields.map(({ path, comment }) => [path, comment]));
  expect(comments.get("CreateBudget.currency")).toBe("An ISO 4217 code. Default: that of the business, else USD.");
  expect(comments.get("CreateCustomer.cuit")).toBe("Tax number, unique in the business; null = none.");
  expect(comments.get("ApiKeyView.keyPrefix")).toBe("How the key begins; all of it is shown when it is made.");
});

interface Field {
  readonly path: string;
  readonly comment: string;
}

/** The fields of the exported types, with those of the types that they use. Methods and foreign types are left out. */
function fieldsOfEntry({ program, checker }: Project): Field[] {
  const source = program.getSourceFile(ENTRY);
  const entry = source && checker.getSymbolAtLocation(source);
  if (entry === undefined) throw new Error("the entry exports nothing");
  const found: Field[] = [];
  const seen = new Set<Type>();

  function walk(type: Type, path: string): void {
    if (seen.has(type) || isFunction(type)) return;
    seen.add(type);
    const element = checker
      .getIndexInfosOfType(type)
      .find(({ keyType }) => keyType.flags & TypeFlags.Number)?.valueType;
    if (type.isUnionType()) for (const member of type.getTypes()) walk(member, path);
    else if (element) walk(element, `${path}[]`);
    else if (type.flags & (TypeFlags.Object | TypeFlags.Intersection)) walkFields(type, path);
  }

  function walkFields(type: Type, path: string): void {
    const fields = checker.getPropertiesOfType(type).filter(isOurs);
    for (const [index, fieldType] of checker.getTypeOfSymbol(fields).entries()) {
      const field = fields[index];
      if (field === undefined || fieldType === undefined || isFunction(fieldType)) continue;
      found.push({ path: `${path}.${field.name}`, comment: field.getDocumentationComment(checker) });
      walk(fieldType, `${path}.${field.name}`);
    }
  }

  const isFunction = (type: Type) => checker.getSignaturesOfType(type, SignatureKind.Call).length > 0;

  for (const exported of checker.getExportsOfModule(entry)) {
    const symbol = exported.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    const isType = (symbol.flags & (SymbolFlags.Interface | SymbolFlags.TypeAlias)) !== 0;
    if (isType && !UNIONS.has(symbol.name)) walk(checker.getDeclaredTypeOfSymbol(symbol), symbol.name);
    else if (isType) seen.add(checker.getDeclaredTypeOfSymbol(symbol));
  }
  return found;
}

function isOurs({ declarations }: Declared): boolean {
  return declarations[0]?.path.includes("/node_modules/") === false;
}
