const SENT = "status NOT IN ('DRAFT', 'DELETED')";
const WON = "status IN ('APPROVED', 'COMPLETED', 'ARCHIVED')";

/**
 * The sums of sent budgets by the quarter of an hour in which they were sent, and of what is open, in the slot 0. Budgets
 * of earlier releases count as sent when they were created. And the views of public links, one row each.
 */
export const SALES = `
  CREATE TABLE @sales_sums (
    business_id bigint NOT NULL,
    slot bigint NOT NULL,
    kind text COLLATE "C" NOT NULL,
    currency text COLLATE "C" NOT NULL,
    budgets bigint NOT NULL,
    total numeric NOT NULL, -- minor units; a sum may exceed 64 bits
    PRIMARY KEY (business_id, slot, kind, currency)
  ) WITH (fillfactor = 70); -- room for HOT updates
  LOCK TABLE @budgets IN SHARE ROW EXCLUSIVE MODE; -- no write is missed
  INSERT INTO @sales_sums (business_id, slot, kind, currency, budgets, total)
    SELECT business_id, created_at / 900000,
      CASE WHEN status = 'PENDING' THEN 'waiting' WHEN ${WON} THEN 'won' ELSE 'lost' END, currency,
      count(*), sum(total_minor)
    FROM @budgets WHERE ${SENT} GROUP BY 1, 2, 3, 4;
  INSERT INTO @sales_sums (business_id, slot, kind, currency, budgets, total)
    SELECT business_id, 0, 'balance', currency, count(*), sum(balance) FROM (
      SELECT business_id, currency, total_minor - coalesce(sold.withheld, 0) - coalesce(sold.paid, 0) AS balance
      FROM @budgets CROSS JOIN LATERAL json_to_record(document::json) AS sold (paid bigint, withheld bigint)
      WHERE ${WON}
    ) AS won WHERE balance > 0 GROUP BY business_id, currency;
  INSERT INTO @sales_sums (business_id, slot, kind, currency, budgets, total)
    SELECT business_id, 0, 'deposit', currency, count(*), 0 FROM @budgets
    WHERE status = 'PENDING' AND document::json ->> 'acceptance' IS NOT NULL GROUP BY business_id, currency;

  CREATE TABLE @viewings (
    business_id bigint NOT NULL,
    budget_id bigint NOT NULL,
    viewed_at bigint NOT NULL,
    device text COLLATE "C" NOT NULL,
    PRIMARY KEY (business_id, budget_id, viewed_at, device)
  );
`;
