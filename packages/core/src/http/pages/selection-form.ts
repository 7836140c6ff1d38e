/** The fields of a form, by their names. */
export type FormFields = Readonly<Record<string, string>>;

/** A line of a selection, before its schema. */
interface SelectedInForm {
  readonly itemId: string;
  readonly selected?: boolean;
  readonly quantity?: number | string; // a text that is no number is refused by the schema
}

/**
 * The selection that the controls of an offer's lines make, and the other fields. `offered.{itemId}` marks a line that can
 * be selected; `selected.{itemId}` is its check box, `choice.{key}` the radio button of its choice with the id as value, which
 * needs no mark: it takes the place of the others; `quantity.{itemId}` is its quantity. A box that is not checked sends nothing: its mark says that it is not selected.
 */
export function selectionIn(fields: FormFields): { readonly selection: SelectedInForm[]; readonly others: FormFields } {
  const offered = new Set<string>();
  const selected = new Set<string>();
  const quantities = new Map<string, string>();
  const others = new Map<string, string>();
  for (const [name, value] of Object.entries(fields)) {
    const [control, id] = partsOf(name);
    if (control === "offered") offered.add(id);
    else if (control === "selected") selected.add(id);
    else if (control === "choice" && value !== "") {
      offered.add(value);
      selected.add(value);
    } else if (control === "choice") continue;
    else if (control === "quantity") quantities.set(id, value);
    else others.set(name, value);
  }
  const ids = new Set([...offered, ...quantities.keys()]);
  const selection = [...ids].map((itemId) => ({
    itemId,
    ...(offered.has(itemId) ? { selected: selected.has(itemId) } : {}),
    ...quantityField(quantities.get(itemId)),
  }));
  return { selection, others: Object.fromEntries(others) };
}

function partsOf(name: string): readonly [string, string] {
  const dot = name.indexOf(".");
  return dot === -1 ? [name, ""] : [name.slice(0, dot), name.slice(dot + 1)];
}

const NUMBER = /^\d{1,15}([.,]\d{1,6})?$/;

/** An empty field leaves the quantity as it is. Who types a number may use a comma. */
function quantityField(text: string | undefined): { readonly quantity?: number | string } {
  const given = text?.trim() ?? "";
  if (given === "") return {};
  return { quantity: NUMBER.test(given) ? Number(given.replace(",", ".")) : given };
}
