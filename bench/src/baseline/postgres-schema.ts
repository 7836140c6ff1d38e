/** What somebody would write by hand for one application: a table a thing, and an index for each list. */
export const POSTGRES_SCHEMA = `
  CREATE TABLE api_keys (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    business_id integer NOT NULL,
    key_hash text NOT NULL UNIQUE
  );
  CREATE TABLE budgets (
    id integer PRIMARY KEY,
    business_id integer NOT NULL,
    version integer NOT NULL,
    status text NOT NULL,
    customer_id text NOT NULL,
    customer_name text,
    customer_email text,
    currency text NOT NULL,
    subtotal double precision NOT NULL,
    discount double precision NOT NULL,
    tax double precision NOT NULL,
    total double precision NOT NULL,
    notes text,
    metadata text NOT NULL,
    valid_until text,
    created_at text NOT NULL,
    updated_at text NOT NULL
  );
  CREATE INDEX budgets_by_creation ON budgets (business_id, created_at, id);
  CREATE INDEX budgets_by_status ON budgets (business_id, status, created_at, id);
  CREATE TABLE items (
    budget_id integer NOT NULL,
    position integer NOT NULL,
    product_id text,
    product_name text,
    product_sku text,
    description text NOT NULL,
    quantity double precision NOT NULL,
    unit_price double precision NOT NULL,
    total double precision NOT NULL,
    tax double precision NOT NULL,
    discount double precision NOT NULL,
    PRIMARY KEY (budget_id, position)
  );
  CREATE TABLE outbox (
    sequence integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    business_id integer NOT NULL,
    type text NOT NULL,
    occurred_at text NOT NULL,
    payload text NOT NULL
  );
`;
