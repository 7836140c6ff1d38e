import type { Session } from "@budgetkit/core/store";
import { idToFind, idToWrite } from "@budgetkit/store-kit";
import { ACCESS_COMMITS } from "../access/access-functions.js";
import { textToFind } from "../engine/arguments.js";
import type { Connection } from "../engine/connection.js";
import { auditRows } from "../events/events.js";
import type { CommitParts, SendCommit, WriteOf } from "./commit-parts.js";

/** Businesses and sessions. */
export function accessCalls(connection: Connection) {
  const call = connection.commits(ACCESS_COMMITS);

  return {
    business(parts: CommitParts, { business, expected }: WriteOf<"business">): SendCommit {
      const { name, tier, timeZone, version, createdAt } = business;
      const settings = { name, time_zone: timeZone, version, profile: JSON.stringify(business.profile) };
      const audit = auditRows(parts.take("audit"));
      if (expected === "absent") {
        const id = idToWrite(business.id);
        return () => call("insert_business", id, { id, tier, created_at: createdAt, ...settings, audit });
      }
      const id = idToFind(business.id);
      const argument = { business: { id, ...settings }, expected_version: expected, audit };
      return () => call("replace_business", id, argument);
    },

    tier(parts: CommitParts, { tier }: WriteOf<"tier">): SendCommit {
      const id = idToFind(parts.businessId);
      const audit = auditRows(parts.take("audit"));
      return () => call("set_business_tier", id, { id, tier, audit });
    },

    session(parts: CommitParts, { session, passwordHash }: WriteOf<"session">): SendCommit {
      const row = sessionRow(session);
      const argument = {
        session: row,
        user: idToFind(session.userId),
        password_hash: textToFind(passwordHash),
        audit: auditRows(parts.take("audit")),
      };
      return () => call("insert_session", row.business_id, argument);
    },

    refresh(_: CommitParts, { rotation, now }: WriteOf<"session-refresh">): SendCommit {
      const { businessId, sessionId, expectedHash, newHash, newExpiresAt } = rotation;
      const argument = {
        business_id: idToFind(businessId),
        id: textToFind(sessionId),
        expected_hash: textToFind(expectedHash),
        new_hash: newHash,
        new_expires_at: newExpiresAt,
        now,
      };
      return () => call("rotate_refresh", argument.business_id, argument);
    },

    sessionEnd(parts: CommitParts, { sessionId, at }: WriteOf<"session-end">): SendCommit {
      const business = idToFind(parts.businessId);
      const audit = auditRows(parts.take("audit"));
      return () => call("end_session", business, { business_id: business, id: textToFind(sessionId), now: at, audit });
    },
  };
}

function sessionRow(session: Session) {
  return {
    business_id: idToWrite(session.businessId),
    id: session.id,
    user_id: session.userId,
    refresh_hash: session.refreshHash,
    refresh_expires_at: session.refreshExpiresAt,
    created_at: session.createdAt,
    ended_at: session.endedAt,
  };
}
