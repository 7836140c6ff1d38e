import { asOneOf } from "@budgetkit/store-kit";
import { type Columns, commitFunctions } from "../engine/commit-calls.js";
import { ALONG_INDEXES } from "../engine/planner-settings.js";
import type { EventRow } from "../events/event-functions.js";
import { BYTES_OF_ADDED } from "../limits/storage-functions.js";
import { adding } from "./add-functions.js";
import { ADDED_RESULT, type AddedRow } from "./delivery-rows.js";

export const REPLAY_FUNCTIONS = `
  CREATE OR REPLACE FUNCTION @write_replay(argument jsonb) RETURNS jsonb LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  DECLARE
    replay @replays := jsonb_populate_record(NULL::@replays, argument -> 'replay');
    expected bigint := (argument ->> 'expectedVersion')::bigint;
    bytes bigint;
  BEGIN
    IF expected = 0 THEN
      INSERT INTO @replays SELECT replay.* ON CONFLICT DO NOTHING;
    ELSE
      UPDATE @replays SET version = replay.version, status = replay.status, document = replay.document
      WHERE business_id = replay.business_id AND endpoint_id = replay.endpoint_id AND version = expected;
    END IF;
    IF NOT FOUND THEN RETURN '"stale"'; END IF;
    IF jsonb_array_length(argument -> 'deliveries') > 0 THEN
      WITH added AS MATERIALIZED (
        SELECT given.*, NULL::text AS trail
        FROM jsonb_to_recordset(argument -> 'deliveries') AS given (${ADDED_RESULT})
      ), ${adding("added")}
      SELECT sum(${BYTES_OF_ADDED}) INTO bytes FROM added;
      PERFORM @count_storage(replay.business_id, 0, 0, 0, bytes);
    END IF;
    PERFORM @append_audit_of(argument);
    RETURN '"written"';
  END $$;
`;

interface Arguments {
  write_replay: {
    replay: Columns<"business_id" | "endpoint_id" | "version" | "status" | "document">;
    expectedVersion: number;
    deliveries: readonly AddedRow[];
    audit: readonly EventRow[];
  };
}

export const REPLAY_COMMITS = commitFunctions<Arguments>()({
  write_replay: (answer) => asOneOf(["written", "stale"], answer),
});
