import { join } from "node:path";
import ts from "typescript";
import { beforeAll, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const ENTRY = join(ROOT, "packages/core/src/entries/index.ts");

/** Unions whose members have names that say what they are; the comment of the union describes them. */
const UNIONS = new Set(["Actor", "Problem", "SendOutcome", "SendRequest", "WebhookVerification", "RuleDetails"]);

let fields: readonly Field[] = [];
beforeAll(() => {
  fields = fieldsOfEntry();
}, 120_000);

it("has a comment on each field of each type that applications import", () => {
  expect(fields.length).toBeGreaterThan(700);
  expect(fields.filter(({ comment }) => comment === "").map(({ path }) => path)).toEqual([]);
});

it("gives the editor the comment of an input and of a result", () => {
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
function fieldsOfEntry(): Field[] {
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const ours = { ...options, types: [], noEmit: true };
  const program = ts.createProgram([ENTRY], ours, hostWithoutForeignTypes(ours));
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(ENTRY);
  const entry = source && checker.getSymbolAtLocation(source);
  if (entry === undefined) throw new Error("the entry exports nothing");
  const found: Field[] = [];
  const seen = new Set<ts.Type>();

  function walk(type: ts.Type, path: string): void {
    if (seen.has(type) || type.getCallSignatures().length > 0) return;
    seen.add(type);
    const element = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
    if (type.isUnion()) for (const member of type.types) walk(member, path);
    else if (element) walk(element, `${path}[]`);
    else if (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) walkFields(type, path);
  }

  function walkFields(type: ts.Type, path: string): void {
    for (const field of checker.getPropertiesOfType(type)) {
      const fieldType = checker.getTypeOfSymbol(field);
      if (!isOurs(field) || fieldType.getCallSignatures().length > 0) continue;
      const comment = ts.displayPartsToString(field.getDocumentationComment(checker));
      found.push({ path: `${path}.${field.name}`, comment });
      walk(fieldType, `${path}.${field.name}`);
    }
  }

  for (const exported of checker.getExportsOfModule(entry)) {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    const isType = (symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias)) !== 0;
    if (isType && !UNIONS.has(symbol.name)) walk(checker.getDeclaredTypeOfSymbol(symbol), symbol.name);
    else if (isType) seen.add(checker.getDeclaredTypeOfSymbol(symbol));
  }
  return found;
}

/** Finds our files and the packages that our types are made with. To read those of others takes a third of the time. */
function hostWithoutForeignTypes(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const cache = ts.createModuleResolutionCache(ROOT, host.getCanonicalFileName, options);
  host.resolveModuleNameLiterals = (literals, file) =>
    literals.map(({ text }) =>
      /^\.|^(?:zod|neverthrow)(?:\/|$)/.test(text)
        ? ts.resolveModuleName(text, file, options, host, cache, undefined, ts.ModuleKind.ESNext)
        : { resolvedModule: undefined },
    );
  return host;
}

function isOurs(field: ts.Symbol): boolean {
  const file = field.declarations?.[0]?.getSourceFile().fileName;
  return file?.includes("/node_modules/") === false;
}
