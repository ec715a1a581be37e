import type { Response } from 'supertest';
import { make } from '../../support/builders/make';
import { signIn } from '../../support/builders/sign-in';
import type { World } from '../../support/worlds/world';

/** A partner who asks under /api/v1/mlm. */
export async function partnerPerson(world: World, options: { sponsorId?: string } = {}) {
  const user = await make.user(world.db);
  const partner = await make.partner(world.db, { userId: user.id, ...options });
  const token = await signIn(world, user);
  const get = (path: string): Promise<Response> =>
    Promise.resolve(world.http.get(`/api/v1/mlm${path}`).auth(token, { type: 'bearer' }));
  return { ...partner, partnerId: partner.id, get };
}
