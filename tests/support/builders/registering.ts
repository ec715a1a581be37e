import type { Response } from 'supertest';
import { nextNumber } from './make/insert';
import { latestToken } from '../checks/mail';
import type { World } from '../worlds/world';

type UsedWorld = Pick<World, 'http' | 'db'>;

export const password = 'Umbrella-7-tango';

/** The body of a registration, with an address of its own. */
export const newcomer = (options: object = {}) => ({
  email: `newcomer${nextNumber()}@example.com`,
  password,
  firstName: 'Grace',
  lastName: 'Hopper',
  acceptTerms: true,
  acceptPrivacy: true,
  ...options,
});

/** Posts to an endpoint under /auth. */
export const askAuth = (
  world: Pick<World, 'http'>,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Response> =>
  world.http
    .post(`/api/v1/auth/${path}`)
    .set(headers)
    .send(body)
    .then((answer) => answer);

/** A user who has just registered, with the mailed token. */
export async function registered(
  world: UsedWorld,
  options: object = {},
): Promise<{ id: string; email: string; token: string }> {
  const body = newcomer(options);
  const answer = await askAuth(world, 'register', body);
  if (answer.status !== 201) throw new Error(`The registration failed: ${JSON.stringify(answer.body)}`);
  return { id: answer.body.data.id, email: body.email, token: await latestToken(world.db, body.email) };
}

/** The status and code of a refusal. */
export const refusedWith = ({ status, body }: Response) => ({ status, code: body.error?.code });
