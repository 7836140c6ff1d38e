/** The views of public links, by channel; the blobs of logos, so that the sweep keeps them. */
export const CUSTOMER_PAGE = `
  CREATE TABLE @link_views (
    business_id bigint NOT NULL,
    budget_id bigint NOT NULL,
    channel text COLLATE "C" NOT NULL,
    views bigint NOT NULL,
    first_at bigint NOT NULL,
    last_at bigint NOT NULL,
    PRIMARY KEY (business_id, budget_id, channel)
  );
  CREATE INDEX businesses_by_logo ON @businesses ((profile::jsonb #>> '{logo,blobId}'))
    WHERE profile::jsonb #>> '{logo,blobId}' IS NOT NULL;
`;
