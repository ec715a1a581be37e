import { hash } from '@node-rs/argon2';
import type { Client as Postgres } from 'pg';
import { AccessTokens } from '../../../api/http/auth/tokens/access-token';
import { AuthConfig } from '../../../api/http/auth/config';

/** A signed-in buyer. */
export interface Buyer {
  userId: string;
  email: string;
  addressId: string;
  token: string;
}

export const PASSWORD = 'Correct-horse-7!';

/** The `benchId` kinds of a buyer's rows. */
const KIND = { user: 1, address: 2, session: 3 } as const;

/**
 * Buyers with an address in Germany and a session each, written into the database: signing in over HTTP
 * would measure Argon2.
 */
export async function makeBuyers(
  sql: Postgres,
  count: number,
  secrets: { JWT_KEYS: string },
): Promise<Buyer[]> {
  const tokens = tokensOf(secrets);
  await sql.query(
    `INSERT INTO users (id, region, email, password_hash, status, first_name, last_name, kyc_level, kyc_status,
       email_verified_at, created_at, updated_at)
     SELECT bench_id(${KIND.user}, n), 'EU', 'buyer' || n || '@example.com', $2, 'ACTIVE', 'Berta', 'Buyer', 'BASIC',
       'NOT_STARTED', now(), now(), now()
     FROM generate_series(1, $1::int) n`,
    [count, await hash(PASSWORD)],
  );
  await sql.query(
    `INSERT INTO addresses (id, user_id, is_default, recipient_name, street, city, country, postal_code, created_at,
       updated_at)
     SELECT bench_id(${KIND.address}, n), bench_id(${KIND.user}, n), true, 'Berta Buyer', 'Torstraße 1', 'Berlin',
       'DE', '10119', now(), now()
     FROM generate_series(1, $1::int) n`,
    [count],
  );
  const { rows } = await sql.query<Omit<Buyer, 'token'> & { sessionId: string }>(
    `WITH opened AS (
       INSERT INTO sessions (id, user_id, ip_address, created_at, last_active_at, expires_at)
       SELECT bench_id(${KIND.session}, n), bench_id(${KIND.user}, n), '127.0.0.1', now(), now(), now() + interval '1 day'
       FROM generate_series(1, $1::int) n RETURNING id, user_id)
     SELECT u.id AS "userId", u.email, a.id AS "addressId", o.id AS "sessionId"
     FROM opened o JOIN users u ON u.id = o.user_id JOIN addresses a ON a.user_id = u.id ORDER BY u.id`,
    [count],
  );
  return Promise.all(
    rows.map(async ({ sessionId, ...buyer }) => ({
      ...buyer,
      token: await tokens.issue(buyer.userId, sessionId),
    })),
  );
}

/** Signs a user in that is there already; answers the access token. */
export async function signedIn(
  sql: Postgres,
  userId: string,
  secrets: { JWT_KEYS: string },
): Promise<string> {
  const { rows } = await sql.query<{ id: string }>(
    `INSERT INTO sessions (id, user_id, ip_address, created_at, last_active_at, expires_at)
     VALUES (gen_random_uuid(), $1, '127.0.0.1', now(), now(), now() + interval '1 day') RETURNING id`,
    [userId],
  );
  return tokensOf(secrets).issue(userId, rows[0]!.id);
}

const tokensOf = (secrets: { JWT_KEYS: string }): AccessTokens =>
  new AccessTokens(
    AuthConfig.omit({ SEALING_KEYS: true }).parse({ ...secrets, ACCESS_TOKEN_SECONDS: '3600' }),
  );
