/** When each user last logged in. Of users with sessions it is known; of others it is from their next login on. */
export const LAST_LOGINS = `
  ALTER TABLE @users ADD COLUMN last_login_at bigint; -- null = never
  UPDATE @users AS users SET last_login_at = logins.at
  FROM (SELECT business_id, user_id, max(created_at) AS at FROM @sessions GROUP BY business_id, user_id) AS logins
  WHERE logins.business_id = users.business_id AND logins.user_id = users.id::text;
`;
