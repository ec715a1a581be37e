import { rows } from '../../../../db/sql/query';
import { refusalIn } from '../../../../workflows/errors';
import { at, decision, payee, payoutSteps, processed } from '../../../support/builders/paying-out/payees';
import { violations } from '../../../support/checks/violations';
import { FakePayouts } from '../../../support/fakes/fake-payouts';
import { ownDatabase } from '../../../support/servers/database';

/** Attempts at providers that ended without the word of the provider, and those that it has refused for certain. */
const own = ownDatabase();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

type Steps = ReturnType<typeof payoutSteps>;

const answer = (work: Promise<{ status: string; transfer: { provider: string } | null }>): Promise<string> =>
  work.then(
    ({ status, transfer }) => [status, transfer?.provider].filter(Boolean).join(' '),
    (error: unknown) => {
      const refused = refusalIn(error);
      if (!refused) throw error;
      return `${refused.reason ?? refused.code}: ${refused.message}`;
    },
  );

const processes = async (steps: Steps, payoutId: string, text: string | null = null) =>
  answer(steps.processPayout(await decision(own.db, payoutId, { text })));
const rejects = async (steps: Steps, payoutId: string) =>
  answer(steps.rejectPayout({ ...(await decision(own.db, payoutId, { text: 'No.' })), returnsFunds: true }));
const settles = async (
  steps: Steps,
  payoutId: string,
  outcome: 'DONE' | 'REFUSED',
  { text = null, by }: { text?: string | null; by?: string } = {},
) =>
  answer(
    steps.completePayout({
      ...(await decision(own.db, payoutId, { text, ...(by !== undefined && { by }) })),
      outcome,
    }),
  );

/** A payout of 40.00 that is APPROVED, since a person reported it as refused when its provider did not know it. */
async function unproven() {
  const bank = new FakePayouts();
  bank.mood = 'is silent';
  const steps = payoutSteps(own.db, bank);
  const payoutId = await processed(own.db, steps, await payee(own.db));
  await steps.sendPayout({ payoutId, at: at() });
  const transfer = bank.sent[0]!;
  bank.forgets(transfer);
  expect(await settles(steps, payoutId, 'REFUSED')).toBe('APPROVED');
  return { bank, steps, payoutId, transfer };
}

/** One that its provider has refused for certain. */
async function refused() {
  const bank = new FakePayouts();
  bank.mood = 'refuses';
  const steps = payoutSteps(own.db, bank);
  const payoutId = await processed(own.db, steps, await payee(own.db));
  expect(await steps.sendPayout({ payoutId, at: at() })).toBe('ENDED');
  bank.mood = 'is not reached';
  return { bank, steps, payoutId };
}

describe('processed by hand', () => {
  test('only what has certainly not been sent before', async () => {
    const { bank, steps, payoutId, transfer } = await unproven();
    const wire = `WIRE ${payoutId}`;
    bank.silent(transfer);
    expect(await processes(steps, payoutId, wire)).toMatch(
      /^CANNOT_SETTLE: sandbox may still send this payout/,
    );
    bank.mood = 'is not reached';
    expect(await processes(steps, payoutId, wire)).toMatch(/^CANNOT_SETTLE: sandbox cannot say now/);
    bank.mood = 'sends';
    bank.arrives(transfer);
    expect(await processes(steps, payoutId, wire)).toMatch(
      /^CANNOT_SETTLE: sandbox has sent this payout after all/,
    );
    bank.forgets(transfer);
    expect(await processes(steps, payoutId, wire)).toBe('PROCESSING bank');
  });

  test('where persons send everything now, what has arrived is completed by that transfer', async () => {
    const { bank, payoutId, transfer } = await unproven();
    const steps = payoutSteps(own.db, bank, { current: 'bank' });
    bank.arrives(transfer);
    expect(await processes(steps, payoutId)).toBe('PROCESSING sandbox');
    expect(await steps.sendPayout({ payoutId, at: at() })).toBe('ENDED');
    expect(await steps.payoutState({ payoutId })).toMatchObject({ status: 'COMPLETED' });
    expect(bank.sent).toHaveLength(1);
  });
});

describe('a provider that is not set up any more', () => {
  test('nobody ends or sends what it may have sent, until it is retired', async () => {
    const { payoutId } = await unproven();
    const without = payoutSteps(own.db, null);
    const words = /^CANNOT_SETTLE: sandbox was asked to send this payout, and is not set up here any more/;
    expect(await rejects(without, payoutId)).toMatch(words);
    expect(await processes(without, payoutId)).toMatch(words);
    const retired = payoutSteps(own.db, null, { retired: ['sandbox'] });
    expect(await rejects(retired, payoutId)).toBe('REJECTED');
  });

  test('another provider sends nothing either', async () => {
    const { payoutId } = await unproven();
    const other = new FakePayouts('stripe');
    expect(await processes(payoutSteps(own.db, other), payoutId)).toBe('PROCESSING stripe');
    await expect(payoutSteps(own.db, other).sendPayout({ payoutId, at: at() })).rejects.toThrow(
      'not set up here any more',
    );
    expect(other.sent).toEqual([]);
    const retired = payoutSteps(own.db, other, { retired: ['sandbox'] });
    expect(await retired.sendPayout({ payoutId, at: at() })).toBe('ENDED');
    expect(other.sent).toHaveLength(1);
  });

  test('it is asked also after another one was', async () => {
    const { bank, payoutId, transfer } = await unproven();
    const other = new FakePayouts('stripe');
    const both = payoutSteps(own.db, [bank, other], { current: 'stripe' });
    await processes(both, payoutId);
    other.mood = 'refuses';
    expect(await both.sendPayout({ payoutId, at: at() })).toBe('ENDED');
    bank.arrives(transfer);
    expect(await rejects(both, payoutId)).toMatch(/^NOT_REJECTABLE: sandbox has sent this payout after all/);
  });
});

describe('asked of a provider that is gone for good', () => {
  /** A payout that is PROCESSING, about which its provider never says anything. */
  async function gone() {
    const bank = new FakePayouts();
    bank.mood = 'is silent';
    const steps = payoutSteps(own.db, bank);
    const payoutId = await processed(own.db, steps, await payee(own.db));
    await steps.sendPayout({ payoutId, at: at() });
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const retired = payoutSteps(own.db, null, { retired: ['sandbox'] });
    const afterAnHour: Steps = {
      ...retired,
      completePayout: (report) => retired.completePayout({ ...report, at: later }),
    };
    const [{ processedBy }] = (await rows<{ processedBy: string }>(
      own.db,
      'SELECT processed_by FROM payouts WHERE id = $1',
      [payoutId],
    )) as [{ processedBy: string }];
    return { retired, afterAnHour, later, payoutId, processedBy };
  }

  test('it is not left to a person, who might send it a second time', async () => {
    const { retired, payoutId, later } = await gone();
    expect(await retired.handOverPayout({ payoutId, at: later })).toBe(
      'sandbox was asked for this payout and is retired, so it cannot say any more whether it has sent it. Settle it by what its statement says.',
    );
    expect(await settles(retired, payoutId, 'REFUSED', { text: 'none' })).toMatch(
      /^CANNOT_SETTLE: .* only just now/,
    );
  });

  test.each(['DONE', 'REFUSED'] as const)('%s: by the word of a second administrator', async (outcome) => {
    const { afterAnHour, payoutId, processedBy } = await gone();
    const text = `STATEMENT ${payoutId}`;
    expect(await settles(afterAnHour, payoutId, outcome)).toMatch(/^VALIDATION_ERROR/);
    expect(await settles(afterAnHour, payoutId, outcome, { text, by: processedBy })).toMatch(
      /^SECOND_ADMINISTRATOR_REQUIRED/,
    );
    expect(await settles(afterAnHour, payoutId, outcome, { text })).toBe(
      outcome === 'DONE' ? 'COMPLETED' : 'APPROVED',
    );
  });
});

test('several attempts are looked up at the same time, so that slow answers do not add up', async () => {
  const { bank, steps, payoutId, transfer } = await unproven();
  const second = `${payoutId}:2`;
  await processes(steps, payoutId);
  bank.mood = 'is silent';
  expect(await steps.sendPayout({ payoutId, at: at() })).toBe('UNDER_WAY');
  bank.forgets({ key: second });
  expect(await settles(steps, payoutId, 'REFUSED')).toBe('APPROVED');
  const asked = new Set<string>();
  let bothAreAsked = (): void => undefined;
  const both = new Promise<void>((resolve) => (bothAreAsked = resolve));
  const lookUp = jest.spyOn(bank, 'lookUpTransfer').mockImplementation(async (key) => {
    if (asked.add(key).size === 2) bothAreAsked();
    await both;
    return null;
  });
  expect(await rejects(steps, payoutId)).toBe('REJECTED');
  expect([...asked].sort()).toEqual([transfer.key, second]);
  lookUp.mockRestore();
});

test('an attempt that has arrived counts before a later one whose provider is not reached', async () => {
  const { bank, payoutId, transfer } = await unproven();
  const other = new FakePayouts('stripe');
  const both = payoutSteps(own.db, [bank, other], { current: 'stripe' });
  await processes(both, payoutId);
  other.mood = 'is silent';
  expect(await both.sendPayout({ payoutId, at: at() })).toBe('UNDER_WAY');
  other.forgets(other.sent[0]!);
  expect(await settles(both, payoutId, 'REFUSED')).toBe('APPROVED');
  other.mood = 'is not reached';
  bank.arrives(transfer);
  expect(await rejects(both, payoutId)).toMatch(/^NOT_REJECTABLE: sandbox has sent this payout after all/);
});

describe('refused by its provider for certain, which is not reached any more', () => {
  test('it is rejected', async () => {
    const { steps, payoutId } = await refused();
    expect(await rejects(steps, payoutId)).toBe('REJECTED');
  });

  test('a person sends it', async () => {
    const { steps, payoutId } = await refused();
    expect(await processes(steps, payoutId, `WIRE ${payoutId}`)).toBe('PROCESSING bank');
  });

  test('another provider sends it', async () => {
    const { bank, payoutId } = await refused();
    const other = new FakePayouts('stripe');
    const steps = payoutSteps(own.db, [bank, other], { current: 'stripe' });
    expect(await processes(steps, payoutId)).toBe('PROCESSING stripe');
    expect(await steps.sendPayout({ payoutId, at: at() })).toBe('ENDED');
    expect(other.sent).toHaveLength(1);
  });
});
