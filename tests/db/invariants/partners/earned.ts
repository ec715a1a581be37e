import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import type { World } from '../../../support/worlds/world';

/** Commissions, by the id that they have. */
export interface Commissions {
  pending: string;
  /** Approved and corrected by an administrator. */
  adjusted: string;
  partnerId: string;
}

export async function earned(world: World): Promise<Commissions> {
  const { id: partnerId } = await make.partner(world.db);
  const { id: pending, sourceId } = await make.commission(world.db, { partnerId });
  await make.commission(world.db, { partnerId, sourceId, reversalOf: pending, grossMinor: -200 });
  const { id: adjusted } = await make.commission(world.db, { partnerId });
  await make.commission(world.db, { partnerId, status: 'PAID' });
  await make.commission(world.db, { partnerId, status: 'REVERSED' });
  const token = await signIn(world, await make.admin(world.db));
  for (const body of [{ action: 'ADJUST_AMOUNT', newAmount: 8 }, { action: 'APPROVE' }]) {
    const { status } = await world.http
      .post(`/api/v1/admin/commissions/${adjusted}/adjust`)
      .auth(token, { type: 'bearer' })
      .send({ ...body, reason: 'Checked.' });
    expect(status).toBe(200);
  }
  return { pending, adjusted, partnerId };
}
