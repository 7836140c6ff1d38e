/** What budgets and packages take of products and their variants, a row each. The variant '' is the product itself. */
export const PRODUCT_SUMMARY_TABLES = `
  CREATE TABLE @product_summaries (
    business_id bigint NOT NULL,
    product_id text COLLATE "C" NOT NULL,
    variant_id text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    sku text COLLATE "C",
    unit_price double precision,
    currency text COLLATE "C" NOT NULL,
    deleted_at bigint,
    PRIMARY KEY (business_id, product_id, variant_id)
  );
`;

export const PRODUCT_SUMMARY_FUNCTIONS = `
  -- Those that stay as they are are not written again.
  CREATE FUNCTION @keep_summaries(business bigint, product text, summaries jsonb) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM @product_summaries
    WHERE business_id = business AND product_id = product
      AND variant_id <> ALL (ARRAY(SELECT value ->> 'variant_id' FROM jsonb_array_elements(summaries)));
    INSERT INTO @product_summaries AS stored
    SELECT * FROM jsonb_populate_recordset(NULL::@product_summaries, summaries)
    ON CONFLICT (business_id, product_id, variant_id) DO UPDATE SET
      name = excluded.name, sku = excluded.sku, unit_price = excluded.unit_price, currency = excluded.currency,
      deleted_at = excluded.deleted_at
    WHERE (stored.name, stored.sku, stored.unit_price, stored.currency, stored.deleted_at)
      IS DISTINCT FROM (excluded.name, excluded.sku, excluded.unit_price, excluded.currency, excluded.deleted_at);
  END $$;
`;
