import { make } from '../../../support/builders/make';
import { fundsOf, payee } from '../../../support/builders/paying-out/payees';
import { signIn } from '../../../support/builders/sign-in';
import { eventually } from '../../../support/checks/eventually';
import type { World } from '../../../support/worlds/world';

/** Payouts, by the ids that they have. */
export interface PaidOut {
  /** Of a partner, arrived; it paid the partner's commission. */
  completed: string;
  /** Of a wallet, approved. */
  open: string;
  openUserId: string;
  /** Of a partner, rejected without a return. */
  forfeited: string;
  forfeitedPartnerId: string;
  /** Of a wallet, cancelled by its owner. */
  cancelled: string;
}

export async function paidOut(world: World): Promise<PaidOut> {
  const admin = await signIn(world, await make.admin(world.db));
  const post = async (path: string, body: object, token = admin) => {
    const answer = await world.http.post(`/api/v1${path}`).auth(token, { type: 'bearer' }).send(body);
    expect([path, answer.status < 300]).toEqual([path, true]);
    return answer.body.data as { id?: string; withdrawalId?: string };
  };
  const asked = async (kind: 'PARTNER' | 'WALLET') => {
    const one = await payee(world.db, { kind, availableMinor: 40_00 });
    const token = await signIn(world, one.user);
    const path = kind === 'PARTNER' ? '/mlm/payouts/request' : '/users/me/balance/withdraw';
    const { id, withdrawalId } = await post(path, { amount: 40 }, token);
    return { ...one, token, id: id ?? withdrawalId ?? '' };
  };
  const completed = await asked('PARTNER');
  await post(`/admin/payouts/${completed.id}/approve`, {});
  await post(`/admin/payouts/${completed.id}/process`, {});
  await eventually(async () =>
    expect(await fundsOf(world.db, completed.userId)).toMatchObject({ payouts: ['COMPLETED 4000'] }),
  );
  const open = await asked('WALLET');
  await post(`/admin/wallet-withdrawals/${open.id}/approve`, {});
  const forfeited = await asked('PARTNER');
  await post(`/admin/payouts/${forfeited.id}/reject`, { reason: 'Fraud.', returnToBalance: false });
  const cancelled = await asked('WALLET');
  await post(`/users/me/balance/withdrawals/${cancelled.id}/cancel`, {}, cancelled.token);
  return {
    completed: completed.id,
    ...{ open: open.id, openUserId: open.userId },
    ...{ forfeited: forfeited.id, forfeitedPartnerId: forfeited.partnerId, cancelled: cancelled.id },
  };
}
