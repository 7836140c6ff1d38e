import { IN_INDEX_ORDER } from "../engine/planner-settings.js";
import { DELIVERY_COLUMNS, UNFINISHED } from "./delivery-rows.js";

const CLAIMED_COLUMNS = DELIVERY_COLUMNS.map((column) => `delivery.${column}`).join(", ");

const IS_DUE = `deliveries.${UNFINISHED} AND deliveries.next_attempt_at <= moment
            AND (deliveries.lease_until IS NULL OR deliveries.lease_until <= moment)`;

/** The name of a subscriber in the argument of a claim. */
const subscriberName = (table: string) =>
  `concat_ws(' ', ${table}.business_id, ${table}.subscriber_kind, ${table}.subscriber_id)`;

/** Claims run one after the other, and skip locked rows. */
export const CLAIM_FUNCTIONS = `
  -- The business with the fewest calls comes first, calls of this claim included, then the delivery that is due longest.
  -- Round 1 looks for businesses without calls in flight; as many as the limit end the search. Otherwise round 2 knows all
  -- businesses, and reads of each no more than it can get once every business without calls has one. It needs only that
  -- many queues of a business, and reads only a share of each, never a backlog. "rooms" are the free slots of a share.
  CREATE OR REPLACE FUNCTION @claim_due(claim jsonb) RETURNS json LANGUAGE plpgsql ${IN_INDEX_ORDER} AS $$
  DECLARE
    shift bigint := @clock_shift(claim ->> 'clock', (claim ->> 'now')::bigint);
    moment bigint := (claim ->> 'now')::bigint + shift;
    how_many integer := (claim ->> 'limit')::integer;
    per_business integer := (claim ->> 'perBusiness')::integer;
    per_subscriber integer := (claim ->> 'perSubscriber')::integer;
    rooms_of_businesses jsonb := claim -> 'roomsOfBusinesses';
    rooms_of_subscribers jsonb := claim -> 'roomsOfSubscribers';
    busy bigint[] := ARRAY(SELECT jsonb_object_keys(rooms_of_businesses)::bigint);
    without bigint[] := busy;
    share bigint := 1;
    wanted bigint := how_many;
    page @delivery_queues[];
    cut bigint[];
    chosen @delivery_queues[];
    due tid[];
    leased json;
    durability text := current_setting('synchronous_commit');
  BEGIN
    PERFORM @refresh_queues();
    FOR round IN 1..2 LOOP
      chosen := '{}';
      LOOP
        page := ARRAY(
          SELECT stored FROM @delivery_queues AS stored
          WHERE stored.due_at <= moment AND stored.business_id <> ALL (without)
            AND coalesce((rooms_of_subscribers ->> ${subscriberName("stored")})::integer, per_subscriber) > 0
          ORDER BY stored.due_at LIMIT wanted - cardinality(chosen)
        );
        cut := ARRAY(
          SELECT business_id FROM unnest(page) GROUP BY business_id
          HAVING count(*) > least(share, coalesce((rooms_of_businesses ->> business_id::text)::integer, per_business))
        );
        EXIT WHEN cardinality(cut) = 0;
        chosen := chosen || ARRAY(
          SELECT placed.stored FROM (
            SELECT stored, row_number() OVER (PARTITION BY stored.business_id ORDER BY stored.due_at) AS place
            FROM unnest(page) AS stored WHERE stored.business_id = ANY (cut)
          ) AS placed
          WHERE placed.place <= least(
            share, coalesce((rooms_of_businesses ->> (placed.stored).business_id::text)::integer, per_business)
          )
        );
        without := without || cut;
      END LOOP;
      chosen := chosen || page;
      EXIT WHEN round = 2 OR cardinality(chosen) = how_many;
      share := how_many - cardinality(chosen) + 1;
      wanted := share * (cardinality(chosen) + cardinality(busy));
      without := ARRAY(SELECT key::bigint FROM jsonb_each_text(rooms_of_businesses) WHERE value::integer <= 0);
    END LOOP;

    due := ARRAY(
      WITH waiting AS (
        SELECT stored.business_id, delivery.id, delivery.due_at, delivery.at
        FROM unnest(chosen) AS stored CROSS JOIN LATERAL (
          SELECT deliveries.id, greatest(deliveries.next_attempt_at, deliveries.lease_until) AS due_at,
            deliveries.ctid AS at
          FROM @deliveries AS deliveries
          WHERE deliveries.business_id = stored.business_id AND deliveries.subscriber_kind = stored.subscriber_kind
            AND deliveries.subscriber_id = stored.subscriber_id AND ${IS_DUE}
          ORDER BY deliveries.next_attempt_at, deliveries.id
          LIMIT least(share, coalesce((rooms_of_subscribers ->> ${subscriberName("stored")})::integer, per_subscriber))
        ) AS delivery
      ), placed AS (
        SELECT *, row_number() OVER (PARTITION BY business_id ORDER BY due_at, id) AS place FROM waiting
      )
      SELECT at FROM placed CROSS JOIN LATERAL (
        SELECT coalesce((rooms_of_businesses ->> business_id::text)::integer, per_business) AS room
      ) AS left_over
      WHERE place <= room
      ORDER BY per_business - room + place, due_at, id LIMIT how_many
    );
    due := ARRAY(
      SELECT ctid FROM @deliveries AS deliveries WHERE ctid = ANY (due) AND ${IS_DUE} FOR NO KEY UPDATE SKIP LOCKED
    );
    WITH leased AS (
      UPDATE @deliveries AS deliveries SET
        attempts = deliveries.attempts + 1, attempts_in_round = deliveries.attempts_in_round + 1,
        lease_id = claim ->> 'leaseId', lease_until = (claim ->> 'leaseUntil')::bigint + shift,
        updated_at = (claim ->> 'now')::bigint
      WHERE ctid = ANY (due)
      RETURNING ${DELIVERY_COLUMNS.join(", ")}
    )
    SELECT json_agg(json_build_array(${CLAIMED_COLUMNS}, bodies.body, bodies.origin)
      ORDER BY delivery.next_attempt_at, delivery.id) INTO leased
    FROM leased AS delivery CROSS JOIN LATERAL (
      SELECT body, origin FROM @delivery_bodies AS stored
      WHERE stored.business_id = delivery.business_id AND stored.delivery_id = delivery.id LIMIT 1
    ) AS bodies;

    PERFORM @keep_queues(chosen);
    -- The attempt is counted before the call is made: a claim that leased a delivery waits for the disk.
    IF leased IS NOT NULL THEN PERFORM set_config('synchronous_commit', durability, true); END IF;
    RETURN coalesce(leased, '[]');
  END $$;
`;
