/** The last replay to each endpoint. */
export const REPLAYS = `
  CREATE TABLE @replays (
    business_id bigint NOT NULL,
    endpoint_id bigint NOT NULL,
    version bigint NOT NULL,
    status text COLLATE "C" NOT NULL,
    document text NOT NULL,
    PRIMARY KEY (business_id, endpoint_id)
  );
  CREATE INDEX replays_running ON @replays (business_id, endpoint_id) WHERE status = 'running';
`;
