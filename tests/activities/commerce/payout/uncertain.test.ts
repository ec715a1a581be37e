import type { TransferFate } from '../../../../activities/providers/payouts/port';
import { rows } from '../../../../db/sql/query';
import { refusalIn } from '../../../../workflows/errors';
import {
  at,
  decision,
  fundsOf,
  payee,
  payoutSteps,
  processed,
} from '../../../support/builders/paying-out/payees';
import { violations } from '../../../support/checks/violations';
import { FakePayouts } from '../../../support/fakes/fake-payouts';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

type Steps = ReturnType<typeof payoutSteps>;

/** A payout of 40.00 that a provider has under way, and that was left to a person. */
async function leftToAPerson(variables: Record<string, string> = {}) {
  const bank = new FakePayouts();
  bank.mood = 'is silent';
  const steps = payoutSteps(own.db, bank, { variables });
  const one = await payee(own.db);
  const payoutId = await processed(own.db, steps, one);
  await steps.sendPayout({ payoutId, at: at() });
  await steps.handOverPayout({ payoutId, at: at() });
  return { bank, steps, one, payoutId, transfer: bank.sent[0]! };
}

const answer = (work: Promise<{ status: string; alsoSentBy?: string }>): Promise<string> =>
  work.then(
    ({ status, alsoSentBy }) => [status, alsoSentBy].filter(Boolean).join(' '),
    (error: unknown) => {
      const refused = refusalIn(error);
      if (!refused) throw error;
      return `${refused.reason ?? refused.code}: ${refused.message}`;
    },
  );

/** The same report, any number of times. */
async function reporting(steps: Steps, payoutId: string, text: string | null, by?: string) {
  const note = await decision(own.db, payoutId, { text, ...(by !== undefined && { by }) });
  return (outcome: 'DONE' | 'REFUSED' = 'DONE') => answer(steps.completePayout({ ...note, outcome }));
}

const auditedNext = async (payoutId: string): Promise<unknown> =>
  (
    await rows<{ next: unknown }>(
      own.db,
      `SELECT next FROM audit_records WHERE entity_id = $1 AND action = 'payout.complete' ORDER BY sequence`,
      [payoutId],
    )
  ).map(({ next }) => next);

test('a person who sent what a provider had sent learns of it, however often an answer is lost', async () => {
  const { bank, steps, payoutId, transfer } = await leftToAPerson();
  bank.arrives(transfer);
  const report = await reporting(steps, payoutId, 'OUT 1');
  expect(await report()).toBe('COMPLETED sandbox');
  const words =
    'NOT_PROCESSING: The money had already arrived through sandbox, so this payout is completed by that transfer.';
  expect(await report()).toBe(words);
  expect(await (await reporting(steps, payoutId, 'OUT 1'))()).toBe(words);
  expect(await auditedNext(payoutId)).toEqual([
    expect.objectContaining({ provider: 'sandbox', alsoSentAs: 'OUT 1' }),
  ]);
});

describe('another amount than was to be sent has arrived', () => {
  test('nobody settles it, until a person names that transfer', async () => {
    const { bank, steps, one, payoutId, transfer } = await leftToAPerson();
    bank.arrives({ ...transfer, amountMinor: 80_00 });
    const fate = await bank.lookUpTransfer(transfer.key);
    const { transferId } = fate as Extract<TransferFate, { status: 'arrived' }>;
    const words = `CANNOT_SETTLE: sandbox has sent 80.00 USD of this payout. Give ${transferId} as the reference to complete it by that transfer.`;
    expect(await (await reporting(steps, payoutId, 'OUT 2'))()).toBe(words);
    expect(await (await reporting(steps, payoutId, null))()).toBe(words);
    expect(await (await reporting(steps, payoutId, transferId))('REFUSED')).toBe(words);
    expect(await fundsOf(own.db, one.userId)).toMatchObject({ heldMinor: 40_00 });
    const report = await reporting(steps, payoutId, transferId);
    expect([await report(), await report()]).toEqual(['COMPLETED', 'COMPLETED']);
    expect(await fundsOf(own.db, one.userId)).toMatchObject({ heldMinor: 0, payouts: ['COMPLETED 4000'] });
    expect(await auditedNext(payoutId)).toEqual([
      { status: 'COMPLETED', provider: 'sandbox', reference: transferId, arrivedMinor: 80_00 },
    ]);
  });

  test('of an amount that needs two administrators, not the one who processed it', async () => {
    const { bank, steps, payoutId, transfer } = await leftToAPerson({ POLICY_PAYOUT_FOUR_EYES: '10' });
    bank.arrives({ ...transfer, amountMinor: 1 });
    const fate = await bank.lookUpTransfer(transfer.key);
    const { transferId } = fate as Extract<TransferFate, { status: 'arrived' }>;
    const [row] = await rows<{ processedBy: string }>(
      own.db,
      'SELECT processed_by FROM payouts WHERE id = $1',
      [payoutId],
    );
    const byTheSame = await reporting(steps, payoutId, transferId, row!.processedBy);
    expect(await byTheSame()).toMatch(/^SECOND_ADMINISTRATOR_REQUIRED/);
    expect(await (await reporting(steps, payoutId, transferId))()).toBe('COMPLETED');
  });
});

test('the provider that was asked is not set up any more: nobody settles it without its word', async () => {
  const { steps, payoutId } = await leftToAPerson();
  const without = payoutSteps(own.db, null);
  for (const outcome of ['DONE', 'REFUSED'] as const)
    expect(await (await reporting(without, payoutId, 'OUT 3'))(outcome)).toBe(
      'CANNOT_SETTLE: sandbox was asked to send this payout, and is not set up here any more. Set its keys again, so that it can say what became of it.',
    );
  expect(await (await reporting(steps, payoutId, 'OUT 3'))()).toBe('COMPLETED');
});

/** A payout that a person has reported as refused, although a provider was asked for it and has not answered. */
async function refusedUnanswered() {
  const one = await leftToAPerson();
  one.bank.forgets(one.transfer);
  expect(await (await reporting(one.steps, one.payoutId, null))('REFUSED')).toBe('APPROVED');
  return one;
}

test('another provider sends nothing while the one that was asked before may have sent it', async () => {
  const { bank, payoutId, transfer } = await refusedUnanswered();
  const other = new FakePayouts('stripe');
  const steps = payoutSteps(own.db, [bank, other], { current: 'stripe' });
  await steps.processPayout(await decision(own.db, payoutId));
  bank.silent(transfer);
  await expect(steps.sendPayout({ payoutId, at: at() })).rejects.toThrow('asked before');
  expect(other.sent).toEqual([]);
  bank.refuses(transfer);
  expect(await steps.sendPayout({ payoutId, at: at() })).toBe('ENDED');
  expect(other.sent).toHaveLength(1);
});

describe('rejected or cancelled after a report of a refusal, while the provider was asked', () => {
  const ends = {
    reject: (steps: Steps, note: Awaited<ReturnType<typeof decision>>) =>
      answer(steps.rejectPayout({ ...note, returnsFunds: true })),
    cancel: (steps: Steps, note: Awaited<ReturnType<typeof decision>>) =>
      answer(steps.cancelPayout({ ...note, byOwner: false })),
  };

  test.each(['reject', 'cancel'] as const)('%s: only what has certainly not been sent', async (end) => {
    const { bank, steps, one, payoutId, transfer } = await refusedUnanswered();
    const made = async () => ends[end](steps, await decision(own.db, payoutId, { text: 'Why not.' }));
    bank.silent(transfer);
    expect(await made()).toMatch(/^CANNOT_SETTLE: sandbox may still send this payout/);
    bank.mood = 'is not reached';
    expect(await made()).toMatch(/^CANNOT_SETTLE: sandbox cannot say now/);
    bank.mood = 'sends';
    bank.arrives(transfer);
    expect(await made()).toMatch(/^NOT_(REJECT|CANCELL)ABLE: sandbox has sent this payout after all/);
    expect(await fundsOf(own.db, one.userId)).toMatchObject({ heldMinor: 40_00 });
    await steps.processPayout(await decision(own.db, payoutId));
    await steps.sendPayout({ payoutId, at: at() });
    expect(await fundsOf(own.db, one.userId)).toMatchObject({ heldMinor: 0, payouts: ['COMPLETED 4000'] });
  });

  test.each(['reject', 'cancel'] as const)('%s: what the provider does not know', async (end) => {
    const { steps, one, payoutId } = await refusedUnanswered();
    expect(await ends[end](steps, await decision(own.db, payoutId, { text: 'Why not.' }))).toMatch(/ED$/);
    expect(await fundsOf(own.db, one.userId)).toMatchObject({ heldMinor: 0, availableMinor: 100_00 });
  });
});
