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

/** A payout of 40.00 that a provider has under way, and that an operator has abandoned: it stays with the provider. */
async function abandoned(variables: Record<string, string> = {}) {
  const bank = new FakePayouts();
  bank.mood = 'is silent';
  const steps = payoutSteps(own.db, bank, { variables });
  const one = await payee(own.db);
  const payoutId = await processed(own.db, steps, one);
  await steps.sendPayout({ payoutId, at: at() });
  expect(await steps.handOverPayout({ payoutId, at: at() })).toMatch(/^sandbox may still send this payout/);
  return { bank, steps, one, payoutId, transfer: bank.sent[0]! };
}

const answer = (work: Promise<{ status: string; arrivedBy?: string }>): Promise<string> =>
  work.then(
    ({ status, arrivedBy }) => [status, arrivedBy].filter(Boolean).join(' '),
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
  const { bank, steps, payoutId, transfer } = await abandoned();
  bank.arrives(transfer);
  const report = await reporting(steps, payoutId, 'OUT 1');
  expect(await report()).toBe('COMPLETED sandbox');
  const words =
    'ALREADY_SETTLED: The money had already arrived through sandbox, so this payout is completed by that transfer.';
  expect(await report()).toBe(words);
  expect(await (await reporting(steps, payoutId, 'OUT 1'))()).toBe(words);
  expect(await auditedNext(payoutId)).toEqual([
    expect.objectContaining({ provider: 'sandbox', alsoSentAs: 'OUT 1' }),
  ]);
});

test('a call is as old as the call, however long ago its step began', async () => {
  const bank = new FakePayouts();
  bank.mood = 'is silent';
  const steps = payoutSteps(own.db, bank, {});
  const payoutId = await processed(own.db, steps, await payee(own.db));
  const halfAnHourAgo = new Date(Date.now() - 30 * 60_000).toISOString();
  await steps.sendPayout({ payoutId, at: halfAnHourAgo });
  const [asked] = await rows<{ askedAt: Date }>(own.db, 'SELECT asked_at FROM payouts WHERE id = $1', [
    payoutId,
  ]);
  expect(asked!.askedAt.getTime()).toBeGreaterThan(Date.parse(halfAnHourAgo) + 29 * 60_000);
});

describe('another amount than was to be sent has arrived', () => {
  test('nobody settles it, until a person names that transfer', async () => {
    const { bank, steps, one, payoutId, transfer } = await abandoned();
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
    const { bank, steps, payoutId, transfer } = await abandoned({ POLICY_PAYOUT_FOUR_EYES: '10' });
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
  const { bank, steps, payoutId, transfer } = await abandoned();
  const without = payoutSteps(own.db, null);
  for (const outcome of ['DONE', 'REFUSED'] as const)
    expect(await (await reporting(without, payoutId, 'OUT 3'))(outcome)).toBe(
      'CANNOT_SETTLE: sandbox was asked to send this payout, and is not set up here any more. Set its keys again, so that it can say what became of it; if it is gone for good, name it in PROVIDERS_RETIRED.',
    );
  bank.arrives(transfer);
  expect(await (await reporting(steps, payoutId, null))()).toBe('COMPLETED sandbox');
});

/** A payout that a person has reported as refused, since the provider that was asked for it does not know it. */
async function refusedUnanswered() {
  const one = await abandoned();
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
  expect(await steps.sendPayout({ payoutId, at: at() })).toBe('UNDER_WAY');
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

describe('a transfer that its provider does not know', () => {
  /** A payout whose request was lost, by a provider that says so for certain after a minute, and has forgotten it after an hour. */
  async function lost() {
    const bank = new FakePayouts();
    Object.assign(bank, { certainAfterMs: 60_000, remembersForMs: 3_600_000, mood: 'is not reached' });
    const steps = payoutSteps(own.db, bank);
    const one = await payee(own.db);
    const payoutId = await processed(own.db, steps, one);
    await expect(steps.sendPayout({ payoutId, at: at() })).rejects.toThrow('not reached');
    bank.mood = 'sends';
    const after = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    const abandons = (minutes: number) => steps.handOverPayout({ payoutId, at: after(minutes) });
    const settles = async (minutes: number, outcome: 'DONE' | 'REFUSED', text: string | null = null) =>
      answer(
        steps.completePayout({
          ...(await decision(own.db, payoutId, { text })),
          outcome,
          at: after(minutes),
        }),
      );
    const standing = async () =>
      (
        await rows<{ standing: string }>(
          own.db,
          `SELECT concat_ws(' ', status, provider, CASE WHEN asked_at IS NULL THEN 'certain' END) AS standing FROM payouts WHERE id = $1`,
          [payoutId],
        )
      )[0]!.standing;
    return { bank, steps, payoutId, one, abandons, settles, standing, after };
  }

  test('too early to tell: it is not left to a person, and nobody settles it', async () => {
    const { abandons, settles, standing } = await lost();
    expect(await abandons(0)).toMatch(/only just now, and may still send it/);
    expect(await settles(0, 'REFUSED')).toMatch(/^CANNOT_SETTLE: .* only just now/);
    expect(await settles(0, 'DONE', 'OUT 1')).toMatch(/^CANNOT_SETTLE/);
    expect(await standing()).toBe('PROCESSING sandbox');
  });

  test('certain: it is left to a person, or refused, and nobody says that it was sent', async () => {
    const [one, other] = [await lost(), await lost()];
    expect(await one.settles(2, 'DONE', 'OUT 2')).toMatch(/^CANNOT_SETTLE: sandbox has not sent this payout/);
    expect(await one.abandons(2)).toBeNull();
    expect(await one.standing()).toBe('PROCESSING bank certain');
    expect(await one.settles(2, 'DONE', `OUT ${one.payoutId}`)).toBe('COMPLETED');
    expect(await other.settles(2, 'REFUSED')).toBe('APPROVED');
    expect(await other.standing()).toBe('APPROVED certain');
  });

  test('forgotten: neither sent again nor left to a person, until one says what the statement says', async () => {
    const [one, other] = [await lost(), await lost()];
    for (const { bank, steps, payoutId, abandons, after } of [one, other]) {
      await expect(steps.sendPayout({ payoutId, at: after(61) })).rejects.toThrow('cannot say any more');
      expect(await abandons(61)).toMatch(/Settle it by what its statement says/);
      expect(bank.sent).toEqual([]);
    }
    expect(await one.settles(61, 'DONE', 'tr_7')).toBe('COMPLETED');
    expect(await one.standing()).toBe('COMPLETED sandbox');
    expect(await other.settles(61, 'REFUSED')).toMatch(/^VALIDATION_ERROR/);
    expect(await other.settles(61, 'REFUSED', 'not in the statement')).toBe('APPROVED');
    await other.steps.processPayout(await decision(own.db, other.payoutId));
    expect(await other.steps.sendPayout({ payoutId: other.payoutId, at: at() })).toBe('ENDED');
    expect(other.bank.sent.map(({ key }) => key)).toEqual([`${other.payoutId}:2`]);
  });
});
