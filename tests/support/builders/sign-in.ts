import { createHash, randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import { AuthConfig } from '../../../api/http/auth/config';
import { AccessTokens } from '../../../api/http/auth/tokens/access-token';
import type { Db } from '../../../db/sql/query';
import { testVariables } from '../worlds/variables';
import type { World } from '../worlds/world';
import { insert } from './make/insert';
import type { User } from './make/people';

const SESSION_MS = 7 * 24 * 60 * 60_000;

const accessTokens = new AccessTokens(
  AuthConfig.omit({ SEALING_KEYS: true }).parse({ ...testVariables, ACCESS_TOKEN_SECONDS: '3600' }),
);

/**
 * Opens a session and signs its access token, for `.auth(token, { type: 'bearer' })`. The password is not checked, which
 * would take longer than all else: what depends on a sign-in itself uses `logIn`.
 */
export async function signIn({ db }: Pick<World, 'db'>, { id: userId }: Pick<User, 'id'>): Promise<string> {
  return accessTokens.issue(userId, await openSession(db, userId));
}

/** Opens a session; answers its id. */
export async function openSession(db: Db, userId: string): Promise<string> {
  const id = v7();
  const at = new Date();
  const expires_at = new Date(at.getTime() + SESSION_MS);
  await insert(db, 'sessions', {
    id,
    user_id: userId,
    ip_address: '127.0.0.1',
    created_at: at,
    last_active_at: at,
    expires_at,
  });
  const token_hash = createHash('sha256').update(randomBytes(32)).digest('hex');
  await insert(db, 'refresh_tokens', { token_hash, session_id: id, created_at: at, expires_at });
  return id;
}

/** Signs a user in as clients do; answers the access token. Throws with the refusal. */
export async function logIn(
  world: Pick<World, 'http'>,
  { email, password }: Pick<User, 'email' | 'password'>,
): Promise<string> {
  const { status, body } = await world.http.post('/api/v1/auth/login').send({ email, password });
  if (status !== 200) throw new Error(`${email} could not sign in: ${status} ${JSON.stringify(body)}`);
  return body.data.accessToken;
}
