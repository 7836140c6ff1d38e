/**
 * The budgets and bytes that each business stores, for its quota. Filled with what is stored already; the lock keeps
 * writers out until the functions count their writes.
 */
export const QUOTAS = `
  LOCK TABLE @budgets, @budget_revisions, @events, @attachments IN SHARE MODE;
  CREATE TABLE @storage_use (
    business_id bigint PRIMARY KEY,
    budgets bigint NOT NULL DEFAULT 0,
    document_bytes bigint NOT NULL DEFAULT 0, -- of budgets, earlier revisions and events
    attachment_bytes bigint NOT NULL DEFAULT 0
  ) WITH (fillfactor = 50); -- room for HOT updates: each change rewrites a row
  INSERT INTO @storage_use (business_id, budgets, document_bytes, attachment_bytes)
  SELECT business_id, sum(budgets), sum(documents), sum(attachments) FROM (
    SELECT business_id, 1 AS budgets, octet_length(document) AS documents, 0::bigint AS attachments FROM @budgets
    UNION ALL
    SELECT business_id, 0, octet_length(document), 0 FROM @budget_revisions
    UNION ALL
    SELECT business_id, 0, octet_length(document), 0 FROM @events
    UNION ALL
    SELECT business_id, 0, 0, (document::jsonb ->> 'size')::bigint FROM @attachments
  ) AS stored GROUP BY business_id;
`;
