import { readFileSync } from "node:fs";
import ts from "typescript";

/** A field of a type of options. */
export interface OptionField {
  readonly name: string;
  readonly isRequired: boolean;
}

/** The fields of an interface or type of a source file, in the order of the source, those of every part of it. */
export function optionsOf(file: string, type: string): OptionField[] {
  const text = read(file);
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022);
  for (const statement of source.statements) {
    if (ts.isInterfaceDeclaration(statement) && statement.name.text === type) return fieldsOf(statement.members);
    if (ts.isTypeAliasDeclaration(statement) && statement.name.text === type) return partsOf(statement.type);
  }
  throw new Error(`${file} has no ${type}`);
}

/**
 * The default of an option where the source file has it as text, a number or a truth value, itself or by a constant:
 * `{ name = … } = options` or `options.name ?? …`. Text is given without quotes. null = it is made otherwise.
 */
export function plainDefaultOf(file: string, name: string): string | null {
  const text = read(file);
  const given =
    new RegExp(`(?:[{,] ${name} =|options\\.(?:\\w+\\?\\.)?${name} \\?\\?) ("[^"]*"|\\w+)[ ,;)}]`).exec(text)?.[1] ??
    "";
  const value = new RegExp(`^const ${given} = (.*);$`, "m").exec(text)?.[1] ?? given;
  return /^(?:"[^"]*"|true|false|[\d_]+)$/.test(value) ? value.replaceAll(/["_]/g, "") : null;
}

function read(file: string): string {
  return readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8");
}

function fieldsOf(members: readonly ts.TypeElement[]): OptionField[] {
  return members.flatMap((member) =>
    member.name !== undefined && ts.isIdentifier(member.name)
      ? [{ name: member.name.text, isRequired: member.questionToken === undefined }]
      : [],
  );
}

/** Of a choice of types a field is required that all of them require. */
function partsOf(type: ts.TypeNode): OptionField[] {
  if (ts.isTypeLiteralNode(type)) return fieldsOf([...type.members]);
  if (ts.isParenthesizedTypeNode(type)) return partsOf(type.type);
  if (ts.isIntersectionTypeNode(type)) return type.types.flatMap(partsOf);
  if (!ts.isUnionTypeNode(type)) throw new Error(`fields of a type of kind ${type.kind} are not looked for`);
  const choices = type.types.map(partsOf);
  const names = new Set(choices.flat().map(({ name }) => name));
  const isRequiredIn = (choice: OptionField[], name: string) =>
    choice.some((field) => field.name === name && field.isRequired);
  return [...names].map((name) => ({ name, isRequired: choices.every((choice) => isRequiredIn(choice, name)) }));
}
