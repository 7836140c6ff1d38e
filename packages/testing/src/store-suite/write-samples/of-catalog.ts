import {
  type CatalogKind,
  type CatalogRecords,
  type RecordBase,
  recordCommit,
  type Store,
  type Taken,
} from "@budgetkit/core/store";
import { aCatalogQuery, aCustomer, aPackage, aProduct, aVariant } from "../../catalog-fixtures.js";
import { aWrite, listed, stores, type WriteSample } from "./sample.js";

type Make<K extends CatalogKind> = (overrides?: Partial<RecordBase> & { readonly name?: string }) => CatalogRecords[K];

interface OfKind<K extends CatalogKind> {
  readonly kind: K;
  readonly make: Make<K>;
  /** Another record of the kind; `rival` wants a unique value of it, and has the id of the samples; null = none is unique. */
  readonly holder: CatalogRecords[K];
  readonly rival: readonly [record: CatalogRecords[K], taken: Taken] | null;
}

function samplesOf<K extends CatalogKind>({ kind, make, holder, rival }: OfKind<K>): readonly WriteSample[] {
  const stored = make({ version: 2 });
  const { id } = stored;
  const taken = (expected: number | "absent"): WriteSample["refusals"] =>
    rival === null ? {} : { "a unique value is taken": [recordCommit(kind, rival[0], expected), rival[1]] };
  const read = async (store: Store) => [
    await store.findRecord(kind, "1", id),
    await store.findRecords(kind, "1", [id]),
    await listed(store.listRecords(kind, "1", aCatalogQuery()), id),
  ];
  const shown = (name: string, version: number) => {
    const record = make({ name, version });
    return [record, [record], [record]];
  };
  return [
    aWrite({
      name: `a new ${kind}`,
      beside: ["events", "audit", "completes"],
      prepare: stores(recordCommit(kind, holder, "absent")),
      commit: (name) => recordCommit(kind, make({ name }), "absent"),
      read,
      after: (mark) => shown(mark, 1),
      again: { taken: "id", value: id },
      refusals: {
        "its id is taken": [
          recordCommit(kind, { ...holder, name: "another" }, "absent"),
          { taken: "id", value: holder.id },
        ],
        ...taken("absent"),
      },
      elsewhere: "written",
    }),
    aWrite({
      name: `a changed ${kind}`,
      beside: ["events", "audit", "completes"],
      prepare: stores(recordCommit(kind, holder, "absent"), recordCommit(kind, stored, "absent")),
      commit: (name) => recordCommit(kind, make({ name, version: 3 }), 2),
      read,
      after: (mark) => shown(mark, 3),
      again: "stale",
      refusals: {
        "its version is past": [recordCommit(kind, make({ name: "late", version: 2 }), 1), "stale"],
        "its version is yet to come": [recordCommit(kind, make({ version: 4 }), 3), "stale"],
        ...taken(2),
      },
      elsewhere: "stale",
      ids: ["1", id],
    }),
  ];
}

export const customerSamples = samplesOf({
  kind: "customer",
  make: aCustomer,
  holder: aCustomer({ id: "501", cuit: "20301234563" }),
  rival: [aCustomer({ version: 3, cuit: "20301234563" }), { taken: "cuit", value: "20301234563" }],
});

export const productSamples = samplesOf({
  kind: "product",
  make: aProduct,
  holder: aProduct({ id: "701", variants: [aVariant({ sku: "OAK" })] }),
  rival: [aProduct({ version: 3, sku: "OAK" }), { taken: "sku", value: "OAK" }],
});

export const packageSamples = samplesOf({
  kind: "package",
  make: aPackage,
  holder: aPackage({ id: "801" }),
  rival: null,
});
