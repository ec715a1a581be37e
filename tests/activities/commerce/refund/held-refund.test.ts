import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { execute, firstRow } from '../../../../db/sql/query';
import type { SentRefund } from '../../../../workflows/commerce/refund/payment-refund.contract';
import { given } from '../../../support/builders/given';
import { make } from '../../../support/builders/make';
import { orderSteps } from '../../../support/builders/ordering';
import { restored } from '../../../support/builders/paying-out/restoring';
import { violations } from '../../../support/checks/violations';
import { FakeBank } from '../../../support/fakes/fake-bank';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();
const logger = new DefaultLogger('ERROR');

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
  await execute(own.db, 'DELETE FROM restores');
});

/** A refund of 50.00 that was never sent; `send` runs as the first try of a process. */
async function due() {
  const bank = new FakeBank();
  const { refundId } = await given(own.db).order({ provider: bank }).paid().cancelled();
  const send = (provider: FakeBank | undefined = bank): Promise<SentRefund> =>
    new MockActivityEnvironment({}, { logger }).run(orderSteps(own.db, provider).sendRefund, {
      refundId,
      again: false,
      at: new Date().toISOString(),
    });
  return { bank, refundId, send };
}
const askedAt = async (refundId: string) =>
  (await firstRow<{ askedAt: Date | null }>(own.db, 'SELECT asked_at FROM payment_refunds WHERE id = $1', [
    refundId,
  ]))!.askedAt;

test('of before a restore: not sent until it is released, and then once', async () => {
  const { bank, refundId, send } = await due();
  const release = await restored(own);
  for (let times = 0; times < 2; times++)
    await expect(send()).rejects.toMatchObject({ message: expect.stringContaining('restored from a copy') });
  expect(bank.sent).toEqual([]);
  expect(await askedAt(refundId)).toBeNull();
  await release();
  expect(await send()).toMatchObject({ sentBy: 'PROVIDER' });
  expect(await send()).toMatchObject({ sentBy: 'PROVIDER' });
  expect(bank.sent).toEqual([`${refundId}:1`]);
});

test('that was scheduled after the restore waits for its release, too', async () => {
  const release = await restored(own);
  // Times of steps are whole milliseconds, those of restores are finer.
  await execute(own.owner, "UPDATE restores SET restored_at = restored_at - interval '1 second'");
  const { bank, refundId, send } = await due();
  await expect(send()).rejects.toThrow('releases the restore');
  await release();
  await send();
  expect(bank.requests).toEqual(['refund']);
  expect(bank.sent).toEqual([`${refundId}:1`]);
});

test('that the provider had sent after the copy is known at once, and not asked for again', async () => {
  const { bank, refundId, send } = await due();
  bank.carriesOut(`${refundId}:1`, 50_00);
  const release = await restored(own);
  expect(await send()).toMatchObject({ sentBy: 'PROVIDER' });
  await release();
  expect(await send()).toMatchObject({ sentBy: 'PROVIDER' });
  expect(bank.requests).toEqual(['look up', 'look up']);
  expect(bank.sent).toEqual([`${refundId}:1`]);
});

test('that was asked for before the copy is looked up, and not sent again while it is held', async () => {
  const { bank, refundId, send } = await due();
  bank.mood = 'is not reached';
  await expect(send()).rejects.toThrow('not reached');
  bank.mood = 'answers';
  const release = await restored(own);
  await expect(send()).rejects.toThrow('restored from a copy');
  await release();
  await send();
  expect(bank.sent).toEqual([`${refundId}:1`]);
});

test('of our bank is left to a person only after the release', async () => {
  const { refundId } = await given(own.db).order({ method: 'BANK_TRANSFER' }).paid().cancelled();
  const release = await restored(own);
  const send = () =>
    new MockActivityEnvironment({}, { logger }).run(orderSteps(own.db).sendRefund, {
      refundId,
      again: false,
      at: new Date().toISOString(),
    });
  await expect(send()).rejects.toThrow('restored from a copy');
  await release();
  expect(await send()).toMatchObject({ sentBy: 'PERSON' });
});

test('of longer ago than providers keep keys is looked up before it is sent first; a new one is not', async () => {
  const [old, recent] = [await due(), await due()];
  await execute(own.db, `UPDATE payment_refunds SET created_at = now() - interval '25 hours' WHERE id = $1`, [
    old.refundId,
  ]);
  const [sent] = await Promise.all([old.send(), recent.send()]);
  // The invariants ask why a refund of so long ago has not ended.
  const providerRefundId = sent.sentBy === 'PROVIDER' ? sent.providerRefundId : '';
  const { refundId } = old;
  const at = new Date().toISOString();
  await orderSteps(own.db, old.bank).completeRefund({ refundId, providerRefundId, at });
  expect(old.bank.requests).toEqual(['look up', 'refund']);
  expect(recent.bank.requests).toEqual(['refund']);
});

test('an open difference with a provider stops no refund', async () => {
  const { bank, refundId, send } = await due();
  await make.difference(own.db);
  await send();
  expect(bank.sent).toEqual([`${refundId}:1`]);
});
