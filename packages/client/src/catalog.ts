import type { Call, CallOptions, OnceOptions, OnceVersionOptions, VersionOptions } from "./call.js";
import { entriesOf } from "./entries.js";
import type {
  CreateCustomer,
  CreatePackage,
  CreateProduct,
  CursorPage,
  Customer,
  ListRecordsQuery,
  Package,
  Product,
  RecordDeletion,
  UpdateCustomer,
  UpdatePackage,
  UpdateProduct,
} from "./schemas.js";
import type { Transport } from "./transport.js";

/** Customers, products or packages. Needs an API key. */
export interface Records<View, Create, Update> {
  /** Creates a record. The input may contain its id. */
  create(input: Create, options?: OnceOptions): Call<View>;
  get(id: string, options?: CallOptions): Call<View>;
  /** One page, with search and sorting. Default order: newest first. */
  list(query?: ListRecordsQuery, options?: CallOptions): Call<CursorPage<View>>;
  /** All matches; fetches the pages on demand. */
  each(query?: ListRecordsQuery, options?: CallOptions): AsyncGenerator<View, void, undefined>;
  /** Changes the given fields; null clears an optional field. */
  update(id: string, changes: Update, options?: VersionOptions): Call<View>;
  /** Deletes a record; it can be restored. */
  delete(id: string, options?: VersionOptions): Call<RecordDeletion>;
  /** Restores a deleted record. */
  restore(id: string, options?: OnceVersionOptions): Call<View>;
}

export type Customers = Records<Customer, CreateCustomer, UpdateCustomer>;
export type Products = Records<Product, CreateProduct, UpdateProduct>;
export type Packages = Records<Package, CreatePackage, UpdatePackage>;

export function createCustomers({ send }: Transport): Customers {
  const of = (customerId: string) => ({ path: { customerId } });
  const list: Customers["list"] = (query, options) => send("listCustomers", { query }, options);
  return {
    create: (body, options) => send("createCustomer", { body }, options),
    get: (id, options) => send("getCustomer", of(id), options),
    list,
    each: (query = {}, options) => entriesOf((page) => list(page, options), query),
    update: (id, body, options) => send("updateCustomer", { ...of(id), body }, options),
    delete: (id, options) => send("deleteCustomer", of(id), options),
    restore: (id, options) => send("restoreCustomer", of(id), options),
  };
}

export function createProducts({ send }: Transport): Products {
  const of = (productId: string) => ({ path: { productId } });
  const list: Products["list"] = (query, options) => send("listProducts", { query }, options);
  return {
    create: (body, options) => send("createProduct", { body }, options),
    get: (id, options) => send("getProduct", of(id), options),
    list,
    each: (query = {}, options) => entriesOf((page) => list(page, options), query),
    update: (id, body, options) => send("updateProduct", { ...of(id), body }, options),
    delete: (id, options) => send("deleteProduct", of(id), options),
    restore: (id, options) => send("restoreProduct", of(id), options),
  };
}

export function createPackages({ send }: Transport): Packages {
  const of = (packageId: string) => ({ path: { packageId } });
  const list: Packages["list"] = (query, options) => send("listPackages", { query }, options);
  return {
    create: (body, options) => send("createPackage", { body }, options),
    get: (id, options) => send("getPackage", of(id), options),
    list,
    each: (query = {}, options) => entriesOf((page) => list(page, options), query),
    update: (id, body, options) => send("updatePackage", { ...of(id), body }, options),
    delete: (id, options) => send("deletePackage", of(id), options),
    restore: (id, options) => send("restorePackage", of(id), options),
  };
}
