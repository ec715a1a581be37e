import type { User } from './make/people';
import type { World } from '../worlds/world';

/** Signs a user in as anyone does; answers the access token, for `.auth(token, { type: 'bearer' })`. */
export async function signIn(
  world: Pick<World, 'http'>,
  user: Pick<User, 'email' | 'password'>,
): Promise<string> {
  const { email, password } = user;
  const { status, body } = await world.http.post('/api/v1/auth/login').send({ email, password });
  if (status !== 200) throw new Error(`${email} could not sign in: ${status} ${JSON.stringify(body)}`);
  return body.data.accessToken;
}
