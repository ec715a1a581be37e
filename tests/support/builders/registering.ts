import type { Response } from 'supertest';
import { nextNumber } from './make/insert';
import { latestToken } from '../checks/mail';
import type { World } from '../worlds/world';

type Speaking = Pick<World, 'http' | 'db'>;

export const password = 'Umbrella-7-tango';

/** What somebody new sends; every address is its own. */
export const newcomer = (wishes: object = {}) => ({
  email: `newcomer${nextNumber()}@example.com`,
  password,
  firstName: 'Grace',
  lastName: 'Hopper',
  acceptTerms: true,
  acceptPrivacy: true,
  ...wishes,
});

/** Asks an endpoint under /auth. */
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

/** Somebody who has just registered, with the token that was mailed. */
export async function registered(
  world: Speaking,
  wishes: object = {},
): Promise<{ id: string; email: string; token: string }> {
  const body = newcomer(wishes);
  const answer = await askAuth(world, 'register', body);
  if (answer.status !== 201) throw new Error(`Nobody was registered: ${JSON.stringify(answer.body)}`);
  return { id: answer.body.data.id, email: body.email, token: await latestToken(world.db, body.email) };
}

/** What a refusal says: its status and code. */
export const refusedWith = ({ status, body }: Response) => ({ status, code: body.error?.code });
