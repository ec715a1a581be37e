import { v7 } from 'uuid';
import { CARD } from '../../../support/builders/investing/withdrawing';
import { reportChargeback } from '../../../support/builders/chargebacks';
import { make } from '../../../support/builders/make';
import { fundsOf, saveDetails } from '../../../support/builders/paying-out/payees';
import { press } from '../../../support/builders/sandbox';
import { payer, TOP_UP_MINOR, topUpState, type Payer } from '../../../support/builders/wallets/top-ups';
import { eventually } from '../../../support/checks/eventually';
import { violations } from '../../../support/checks/violations';
import { outcomeOf, startAdminWorld, type AdminWorld } from '../admin-world';
import { deskOf } from './desk-world';

let staff: AdminWorld;
const desk = deskOf(() => staff, 'WALLET');
beforeAll(async () => {
  staff = await startAdminWorld({ variables: { RATE_LIMIT_SCALE: '100' } });
});
afterAll(async () => {
  expect(await violations(staff.world.db)).toEqual([]);
  await staff.world.teardown();
});

/** Somebody who has topped up 100.00 by card and asked for all of it again; `id`: of the withdrawal. */
async function withdrawing(): Promise<{ ada: Payer; topUpId: string; id: string }> {
  const { world } = staff;
  const ada = await payer(world, { kycLevel: 'STANDARD' });
  await saveDetails(world.db, ada.id, CARD);
  const { body } = await ada.topUp();
  await press(world, body.data.payment.paymentUrl as string, 'pay');
  await eventually(async () => expect((await topUpState(world.db, ada.id)).topUps).toEqual(['PAID PAID']));
  return { ada, topUpId: body.data.topUpId as string, id: await asksFor(ada) };
}

async function asksFor({ token }: Payer): Promise<string> {
  const body = { amount: TOP_UP_MINOR / 100 };
  const answer = await staff.ask('post', '/users/me/balance/withdraw', body, token);
  expect(outcomeOf(answer)).toBe('201');
  return (answer.body as { data: { withdrawalId: string } }).data.withdrawalId;
}
const takesBack = (topUpId: string): Promise<void> =>
  reportChargeback(staff.world, { topUpId }, 'payment.charged_back', v7());

test('its money is taken back once: neither a cancellation nor an approval pays it out', async () => {
  const { ada, topUpId, id } = await withdrawing();
  await takesBack(topUpId);
  const cancel = `/users/me/balance/withdrawals/${id}/cancel`;
  expect(outcomeOf(await staff.ask('post', cancel, {}, ada.token))).toBe('400 NOT_CANCELLABLE');
  expect(outcomeOf(await desk.approve(id))).toBe('400 NOT_PENDING');
  expect(await fundsOf(staff.world.db, ada.id)).toMatchObject({
    ...{ walletMinor: 0, heldMinor: 0, payouts: ['REJECTED 10000'] },
  });
  const { body } = await desk.get(`/${id}`);
  expect(body.data).toMatchObject({
    ...{ status: 'REJECTED', decidedBy: null, fundsReturned: true },
    rejectionReason: 'Your bank took back a payment into your balance.',
  });
});

test('403 FORBIDDEN: no withdrawal is approved or processed while a part is not covered', async () => {
  const { ada, topUpId, id } = await withdrawing();
  await desk.approve(id);
  expect((await desk.process(id)).body.data).toMatchObject({ status: 'COMPLETED' });
  await takesBack(topUpId);
  await make.money(staff.world.db, ada.id, TOP_UP_MINOR);
  const next = await asksFor(ada);
  const refused = await desk.approve(next);
  expect(outcomeOf(refused)).toBe('403 FORBIDDEN');
  expect(refused.body.error.reason).toBe('TOP_UP_CHARGED_BACK');
});
