import { firstRow } from '../../../db/sql/query';
import { CARD, investor, REFUSING_CARD, withdrawnByHand } from '../../support/builders/investing/withdrawing';
import { make } from '../../support/builders/make';
import { signIn } from '../../support/builders/sign-in';
import { eventually } from '../../support/checks/eventually';
import type { World } from '../../support/worlds/world';

/** A withdrawal of every kind, by the id it has. */
export interface Withdrawals {
  /** With a penalty. */
  toBalance: string;
  /** By a transfer that arrived. */
  sent: string;
  /** By a transfer that was refused. */
  credited: string;
  /** By a person, from our bank account. */
  byHand: string;
}

export const withdrawn = async (world: World): Promise<Withdrawals> => ({
  toBalance: await withdrawnTo(world, { withdrawalMethod: 'BALANCE', acceptPenalty: true }),
  sent: await withdrawnTo(world, { withdrawalMethod: 'BANK_CARD', details: { cardNumber: CARD } }),
  credited: await withdrawnTo(world, {
    withdrawalMethod: 'BANK_CARD',
    details: { cardNumber: REFUSING_CARD },
  }),
  byHand: await settledByHand(world),
});

async function settledByHand(world: World): Promise<string> {
  const withdrawalId = await withdrawnByHand(world.db);
  const token = await signIn(world, await make.admin(world.db));
  const answer = await world.http
    .post(`/api/v1/admin/withdrawals/${withdrawalId}/settle`)
    .auth(token, { type: 'bearer' })
    .send({ reference: 'BANK-OUT-1' });
  expect(answer.status).toBe(200);
  return withdrawalId;
}

async function withdrawnTo(
  world: World,
  body: { withdrawalMethod: string; acceptPenalty?: boolean; details?: object },
): Promise<string> {
  const one = await investor(world, { strategy: { lockDays: body.acceptPenalty ? 30 : 0 } });
  const answer = await one.withdraw(body);
  expect(answer.status).toBe(200);
  const { withdrawalId } = answer.body.data;
  await eventually(async () =>
    expect(
      await firstRow(
        world.db,
        `SELECT 1 FROM investment_withdrawals WHERE id = $1 AND ended_at IS NOT NULL`,
        [withdrawalId],
      ),
    ).not.toBeNull(),
  );
  return withdrawalId;
}
