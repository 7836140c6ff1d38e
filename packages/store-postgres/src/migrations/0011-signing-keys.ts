/** The key pairs that sign the evidence of acceptances; the private part is encrypted. */
export const SIGNING_KEYS = `
  CREATE TABLE @signing_keys (
    number bigint PRIMARY KEY,
    kid text NOT NULL,
    public_key text NOT NULL,
    sealed_private_key text NOT NULL,
    created_at bigint NOT NULL
  );
`;
