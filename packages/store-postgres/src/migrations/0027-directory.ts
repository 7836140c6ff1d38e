/**
 * The directory: the only look-ups of records that do not name a business go through it, and it alone keeps their digests
 * unique over all businesses. So every other index and constraint is that of one business.
 *
 * The lock lets others read, and keeps a process of an older release from writing a record that the directory would lack.
 * It lasts as long as a scan of keys, users and of the index of public links. Dropping the indexes waits for the statements
 * that read the tables, so it comes last.
 */
export const DIRECTORY = `
  CREATE TABLE @directory (
    kind text COLLATE "C" NOT NULL, -- key, email, link
    digest text COLLATE "C" NOT NULL, -- of a key or of the token of a link; of an email its key
    business_id bigint NOT NULL,
    id bigint NOT NULL, -- of the API key, the user, the budget
    PRIMARY KEY (kind, digest)
  );
  LOCK TABLE @keys, @users, @budgets IN SHARE ROW EXCLUSIVE MODE;
  INSERT INTO @directory (kind, digest, business_id, id)
    SELECT 'key', key_hash, business_id, id FROM @keys
    UNION ALL SELECT 'email', email_key, business_id, id FROM @users
    UNION ALL SELECT 'link', public_token_hash, business_id, id FROM @budgets WHERE public_token_hash IS NOT NULL;
  INSERT INTO @directory (kind, digest, business_id, id)
    SELECT 'key', previous_key_hash, business_id, id FROM @keys WHERE previous_key_hash IS NOT NULL
    ON CONFLICT DO NOTHING; -- the key that has the digest now was found first
  DROP INDEX @keys_by_hash, @keys_by_previous_hash, @users_by_email, @budgets_by_public_token;
`;
