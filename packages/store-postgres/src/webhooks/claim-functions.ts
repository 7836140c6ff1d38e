import { IN_INDEX_ORDER } from "../engine/planner-settings.js";
import { DELIVERY_COLUMNS, DELIVERY_RESULT, ORDER_COLUMNS, wholeBody } from "./delivery-rows.js";

const CLAIMED_COLUMNS = DELIVERY_COLUMNS.map((column) => `delivery.${column}`).join(", ");

const IS_DUE = "stored.next_attempt_at <= moment AND (stored.lease_until IS NULL OR stored.lease_until <= moment)";
const OF_QUEUE = `stored.business_id = queue.business_id AND stored.subscriber_kind = queue.subscriber_kind
            AND stored.subscriber_id = queue.subscriber_id`;

/** The free slots of the business and of the subscriber of `table`, by the argument of a claim. */
const roomOfBusiness = (table: string) => `coalesce(
            (rooms_of_businesses ->> ${table}.business_id::text)::integer, per_business
          )`;
const roomOfSubscriber = (table: string) => `coalesce((rooms_of_subscribers ->> concat_ws(
            ' ', ${table}.business_id, ${table}.subscriber_kind, ${table}.subscriber_id
          ))::integer, per_subscriber)`;

/** The business with the lowest or the highest id in the queue. */
const firstOfQueue = (order: "ASC" | "DESC") => `SELECT business_id FROM @delivery_queue
          ORDER BY business_id ${order}, subscriber_kind ${order}, subscriber_id ${order} LIMIT 1`;

/** Later than every time. */
const LATEST = 2 ** 53;

/** After every kind of subscriber, in the order of the index. */
const LAST_KIND = "'~'";

/** Claims run one after the other, and skip locked rows. */
export const DUE_FUNCTIONS = `
  -- The deliveries of a claim that cannot just take what is due longest: more is due than it may take, or a share lacks
  -- room. The business with the fewest calls comes first, calls of this claim included, then the delivery that is due
  -- longest. The due deliveries of each subscriber are looked up by the index: first the earliest of each, then as many as
  -- can be chosen, of the subscribers whose earliest can be. So no claim reads a backlog.
  CREATE OR REPLACE FUNCTION @fairly_due(claim jsonb, moment bigint) RETURNS tid[]
  LANGUAGE plpgsql ${IN_INDEX_ORDER} AS $$
  #variable_conflict use_column
  DECLARE
    how_many integer := (claim ->> 'limit')::integer;
    per_business integer := (claim ->> 'perBusiness')::integer;
    per_subscriber integer := (claim ->> 'perSubscriber')::integer;
    rooms_of_businesses jsonb := claim -> 'roomsOfBusinesses';
    rooms_of_subscribers jsonb := claim -> 'roomsOfSubscribers';
  BEGIN
    RETURN ARRAY(
      WITH RECURSIVE queues AS (
        (
          SELECT business_id, subscriber_kind, subscriber_id FROM @delivery_queue
          ORDER BY business_id, subscriber_kind, subscriber_id LIMIT 1
        )
        UNION ALL
        SELECT following.* FROM queues CROSS JOIN LATERAL (
          SELECT stored.business_id, stored.subscriber_kind, stored.subscriber_id FROM @delivery_queue AS stored
          WHERE (stored.business_id, stored.subscriber_kind, stored.subscriber_id) > (queues.business_id, CASE
            WHEN ${roomOfBusiness("queues")} <= 0 THEN ${LAST_KIND} ELSE queues.subscriber_kind
          END, queues.subscriber_id)
          ORDER BY stored.business_id, stored.subscriber_kind, stored.subscriber_id LIMIT 1
        ) AS following
      ), roomy AS (
        SELECT *, ${roomOfBusiness("queues")} AS of_business, ${roomOfSubscriber("queues")} AS of_subscriber
        FROM queues
      ), headed AS (
        SELECT queue.*, row_number() OVER (PARTITION BY business_id ORDER BY next_attempt_at, id) AS place,
          next_attempt_at, id
        FROM roomy AS queue CROSS JOIN LATERAL (
          SELECT stored.next_attempt_at, stored.id FROM @delivery_queue AS stored
          WHERE ${OF_QUEUE} AND ${IS_DUE} AND queue.of_subscriber > 0
          ORDER BY stored.next_attempt_at, stored.id LIMIT 1
        ) AS head
      ), chosen AS (
        SELECT * FROM headed WHERE place <= of_business ORDER BY place - of_business, next_attempt_at, id
        LIMIT how_many
      ), placed AS (
        SELECT queue.of_business, delivery.*,
          row_number() OVER (PARTITION BY queue.business_id ORDER BY delivery.next_attempt_at, delivery.id) AS place
        FROM chosen AS queue CROSS JOIN LATERAL (
          SELECT stored.ctid AS at, stored.next_attempt_at, stored.id FROM @delivery_queue AS stored
          WHERE ${OF_QUEUE} AND ${IS_DUE}
          ORDER BY stored.next_attempt_at, stored.id LIMIT least(queue.of_subscriber, how_many)
        ) AS delivery
      )
      SELECT at FROM placed WHERE place <= of_business ORDER BY place - of_business, next_attempt_at, id LIMIT how_many
    );
  END $$;

  -- Takes what is due longest where all shares have room for it, and chooses fairly otherwise. "rooms" are the free slots
  -- of a share.
  CREATE OR REPLACE FUNCTION @claim_deliveries(claim jsonb) RETURNS TABLE (${DELIVERY_RESULT})
  LANGUAGE plpgsql ${IN_INDEX_ORDER} AS $$
  #variable_conflict use_column
  DECLARE
    shift bigint := @clock_shift(claim ->> 'clock', (claim ->> 'now')::bigint);
    moment bigint := (claim ->> 'now')::bigint + shift;
    how_many integer := (claim ->> 'limit')::integer;
    per_business integer := (claim ->> 'perBusiness')::integer;
    per_subscriber integer := (claim ->> 'perSubscriber')::integer;
    rooms_of_businesses jsonb := claim -> 'roomsOfBusinesses';
    rooms_of_subscribers jsonb := claim -> 'roomsOfSubscribers';
    due tid[];
    is_fair boolean;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('@delivery_queue', 0));
    IF EXISTS (SELECT FROM @delivery_turns) THEN PERFORM @start_turns((claim ->> 'now')::bigint, moment); END IF;
    WITH page AS MATERIALIZED (
      SELECT stored.ctid AS at, stored.business_id, stored.subscriber_kind, stored.subscriber_id
      FROM @delivery_queue AS stored WHERE ${IS_DUE} ORDER BY stored.next_attempt_at, stored.id LIMIT how_many + 1
    ), queues AS MATERIALIZED (
      SELECT business_id, subscriber_kind, subscriber_id, count(*) AS n FROM page
      GROUP BY business_id, subscriber_kind, subscriber_id
    )
    SELECT (array_agg(page.at))[:how_many], (count(*) <= how_many OR (
        min(page.business_id) = (${firstOfQueue("ASC")}) AND max(page.business_id) = (${firstOfQueue("DESC")})
        AND min(page.business_id) = max(page.business_id)
      ))
      AND NOT EXISTS (SELECT FROM queues WHERE n > ${roomOfSubscriber("queues")})
      AND NOT EXISTS (SELECT FROM queues GROUP BY business_id HAVING least(sum(n), how_many) > ${roomOfBusiness("queues")})
    INTO due, is_fair FROM page;

    IF NOT is_fair THEN due := @fairly_due(claim, moment); END IF;
    due := ARRAY(
      SELECT stored.ctid FROM @delivery_queue AS stored WHERE stored.ctid = ANY (due) AND ${IS_DUE}
      FOR NO KEY UPDATE SKIP LOCKED
    );
    RETURN QUERY WITH leased AS (
      UPDATE @delivery_queue SET attempts = attempts + 1, attempts_in_round = attempts_in_round + 1,
        lease_id = claim ->> 'fencingToken', lease_until = (claim ->> 'leaseUntil')::bigint + shift,
        updated_at = (claim ->> 'now')::bigint
      WHERE ctid = ANY (due)
      RETURNING ${[...DELIVERY_COLUMNS, ...ORDER_COLUMNS].join(", ")}, body_id
    )
    SELECT ${CLAIMED_COLUMNS}, bodies.body, bodies.origin, ${ORDER_COLUMNS.join(", ")} FROM leased AS delivery CROSS JOIN LATERAL (
      SELECT ${wholeBody("delivery.id")} AS body, origin FROM @delivery_bodies AS stored
      WHERE stored.business_id = delivery.business_id AND stored.id = coalesce(delivery.body_id, delivery.id) LIMIT 1
    ) AS bodies
    ORDER BY delivery.next_attempt_at, delivery.id;
  END $$;

  -- 0 = a turn may begin. Leased deliveries are at most as many as concurrent calls, and count only before the first
  -- without a lease: later ones are due later.
  CREATE OR REPLACE FUNCTION @next_due_at() RETURNS bigint LANGUAGE plpgsql STABLE ${IN_INDEX_ORDER} AS $$
  DECLARE
    waiting bigint := (
      SELECT next_attempt_at FROM @delivery_queue WHERE lease_until IS NULL AND next_attempt_at IS NOT NULL
      ORDER BY next_attempt_at, id LIMIT 1
    );
  BEGIN
    IF EXISTS (SELECT FROM @delivery_turns) THEN RETURN 0; END IF;
    RETURN least(waiting, (
      SELECT min(leased.due_at) FROM (
        SELECT greatest(stored.next_attempt_at, stored.lease_until) AS due_at FROM @delivery_queue AS stored
        WHERE stored.lease_until IS NOT NULL AND stored.next_attempt_at <= coalesce(waiting, ${LATEST})
        ORDER BY stored.next_attempt_at, stored.id
      ) AS leased
    ));
  END $$;
`;
