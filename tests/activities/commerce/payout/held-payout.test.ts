import { execute } from '../../../../db/sql/query';
import { refusalIn } from '../../../../workflows/errors';
import { make } from '../../../support/builders/make';
import {
  at,
  decision,
  fundsOf,
  payee,
  payoutSteps,
  processed,
  requested,
} from '../../../support/builders/paying-out/payees';
import { restored } from '../../../support/builders/paying-out/restoring';
import { violations } from '../../../support/checks/violations';
import { FakePayouts } from '../../../support/fakes/fake-payouts';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
  await execute(own.db, 'DELETE FROM restores; DELETE FROM reconciliation_differences');
});

/** A payout of 40.00 of a wallet or a partner, that is approved. */
async function approved(kind: 'PARTNER' | 'WALLET' = 'PARTNER') {
  const bank = new FakePayouts();
  const steps = payoutSteps(own.db, bank, { variables: { POLICY_RECONCILIATION_STOPS_PAYOUTS: 'false' } });
  const one = await payee(own.db, { kind });
  const payoutId = await requested(steps, one);
  await steps.approvePayout(await decision(own.db, payoutId));
  const process = async (text: string | null = null) =>
    steps.processPayout(await decision(own.db, payoutId, { text }));
  return { bank, steps, one, payoutId, process, send: () => steps.sendPayout({ payoutId, at: at() }) };
}

test.each(['PARTNER', 'WALLET'] as const)(
  'of a %s: not processed after a restore, whatever the policy says, until it is released; then sent once',
  async (kind) => {
    const { bank, payoutId, process, send } = await approved(kind);
    const release = await restored(own);
    const refused = await process().catch((error: unknown) => refusalIn(error));
    expect(refused).toMatchObject({
      code: 'FORBIDDEN',
      reason: 'PAYOUTS_STOPPED',
      message: expect.stringContaining('restored from a copy'),
    });
    await release();
    await process();
    expect([await send(), await send()]).toEqual(['ENDED', 'ENDED']);
    expect(bank.sent.map(({ key }) => key)).toEqual([`${payoutId}:1`]);
  },
);

test('that left after the copy is entered by a person before the release, and no provider sends it', async () => {
  const { bank, steps, one, payoutId, process, send } = await approved();
  const release = await restored(own);
  await process('OUT-1');
  expect(await send()).toBe('ENDED');
  await steps.completePayout({ ...(await decision(own.db, payoutId, { text: 'OUT-1' })), outcome: 'DONE' });
  await release();
  expect(await send()).toBe('ENDED');
  expect(bank.requests).toEqual([]);
  expect(await fundsOf(own.db, one.userId)).toMatchObject({ heldMinor: 0, payouts: ['COMPLETED 4000'] });
});

test('an open difference refuses that, too, since its policy is of all payouts', async () => {
  const { payoutId } = await approved();
  await make.difference(own.db);
  const strict = payoutSteps(own.db, new FakePayouts());
  await expect(strict.processPayout(await decision(own.db, payoutId, { text: 'OUT-2' }))).rejects.toThrow(
    'A difference with a provider is open',
  );
});

/** A payout that was PROCESSING, and not asked for, when the copy was made. */
async function underWay() {
  const bank = new FakePayouts();
  const steps = payoutSteps(own.db, bank);
  const payoutId = await processed(own.db, steps, await payee(own.db));
  return { bank, payoutId, send: () => steps.sendPayout({ payoutId, at: at() }) };
}

test('that was on its way to its provider at the copy waits, and is sent once after the release', async () => {
  const { bank, payoutId, send } = await underWay();
  const release = await restored(own);
  expect([await send(), await send()]).toEqual(['STOPPED', 'STOPPED']);
  expect(bank.requests).toEqual([]);
  await release();
  expect(await send()).toBe('ENDED');
  expect(bank.sent.map(({ key }) => key)).toEqual([`${payoutId}:1`]);
});

test('whose provider was asked before the copy is looked up while it is held; unknown there, it waits', async () => {
  const [known, unknown] = [await underWay(), await underWay()];
  known.bank.mood = 'loses the answer';
  unknown.bank.mood = 'is not reached';
  for (const { send } of [known, unknown]) await expect(send()).rejects.toThrow();
  for (const { bank } of [known, unknown]) bank.mood = 'sends';
  const release = await restored(own);
  expect([await known.send(), await unknown.send()]).toEqual(['ENDED', 'STOPPED']);
  await release();
  expect(await unknown.send()).toBe('ENDED');
  for (const { bank, payoutId } of [known, unknown])
    expect(bank.sent.map(({ key }) => key)).toEqual([`${payoutId}:1`]);
});
