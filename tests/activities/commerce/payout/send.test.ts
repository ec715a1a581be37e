import { forgetExpired } from '../../../../db/administration/retention/retention.transitions';
import { policyFrom } from '../../../../db/policy/config';
import { execute, firstRow } from '../../../../db/sql/query';
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
import { violations } from '../../../support/checks/violations';
import { FakePayouts } from '../../../support/fakes/fake-payouts';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

/** A payout of 40.00 that is PROCESSING and of which nothing was sent. */
async function marked(mood: FakePayouts['mood'] = 'sends') {
  const bank = new FakePayouts();
  bank.mood = mood;
  const steps = payoutSteps(own.db, bank);
  const one = await payee(own.db);
  const payoutId = await processed(own.db, steps, one);
  return { bank, steps, one, payoutId, send: () => steps.sendPayout({ payoutId, at: at() }) };
}
const processAgain = async ({
  steps,
  payoutId,
}: Pick<Awaited<ReturnType<typeof marked>>, 'steps' | 'payoutId'>) =>
  steps.processPayout(await decision(own.db, payoutId));
const keysOf = (bank: FakePayouts) => bank.sent.map(({ key }) => key);

test('the money is with the provider, and the owner gets a mail', async () => {
  const { bank, one, payoutId, send } = await marked();
  expect(await send()).toBe('ENDED');
  expect(await fundsOf(own.db, one.userId)).toMatchObject({ heldMinor: 0, payouts: ['COMPLETED 4000'] });
  expect(keysOf(bank)).toEqual([`${payoutId}:1`]);
  expect(await send()).toBe('ENDED');
  expect(keysOf(bank)).toEqual([`${payoutId}:1`]);
  const mail = await firstRow(own.db, 'SELECT 1 AS one FROM outbox_messages WHERE reference = $1', [
    `payout:${payoutId}:completed`,
  ]);
  expect(mail).not.toBeNull();
});

test('what is asked, and by which key, is committed before the provider is called', async () => {
  const { steps, one, payoutId } = await marked();
  let seen: unknown;
  const provider = {
    code: 'sandbox',
    ...{ methods: ['CARD' as const], certainAfterMs: 0, remembersForMs: null },
    async sendTransfer({ key }: { key: string }): Promise<never> {
      seen = await firstRow(
        own.db,
        `SELECT status, sendings, asked_at IS NOT NULL AS asked FROM payouts WHERE id || ':1' = $1`,
        [key],
      );
      throw new Error('The connection broke.');
    },
    lookUpTransfer: () => Promise.resolve(null),
  };
  await expect(payoutSteps(own.db, provider).sendPayout({ payoutId, at: at() })).rejects.toThrow('broke');
  expect(seen).toEqual({ status: 'PROCESSING', sendings: 1, asked: true });
  expect(await fundsOf(own.db, one.userId)).toMatchObject({ heldMinor: 40_00 });
  expect(await steps.sendPayout({ payoutId, at: at() })).toBe('ENDED');
});

test('a lost answer is looked up, and nothing is sent twice', async () => {
  const { bank, one, send } = await marked('loses the answer');
  await expect(send()).rejects.toThrow('The connection broke.');
  await expect(send()).rejects.toThrow('not reached');
  bank.mood = 'sends';
  expect(await send()).toBe('ENDED');
  expect(bank.sent).toHaveLength(1);
  expect(await fundsOf(own.db, one.userId)).toMatchObject({ payouts: ['COMPLETED 4000'] });
});

test('money for a destination that the provider does not pay to is sent by a person', async () => {
  const bank = new FakePayouts('stripe');
  bank.methods = ['EWALLET'];
  const steps = payoutSteps(own.db, bank, { current: 'stripe' });
  const payoutId = await processed(own.db, steps, await payee(own.db));
  expect(await steps.payoutState({ payoutId })).toMatchObject({
    ...{ status: 'PROCESSING', transfer: { provider: 'bank' } },
  });
  expect(await steps.sendPayout({ payoutId, at: at() })).toBe('ENDED');
  bank.methods = ['CARD'];
  const byProvider = await processed(own.db, steps, await payee(own.db));
  expect(await steps.payoutState({ payoutId: byProvider })).toMatchObject({
    transfer: { provider: 'stripe' },
  });
  expect(bank.requests).toEqual([]);
});

test('a certain refusal leads back to APPROVED, and only then the next transfer has another key', async () => {
  const one = await marked('refuses');
  expect(await one.send()).toBe('ENDED');
  expect(await one.steps.payoutState({ payoutId: one.payoutId })).toMatchObject({
    ...{ status: 'APPROVED', transfer: null, lastRefusal: 'the account is closed' },
  });
  expect(await fundsOf(own.db, one.one.userId)).toMatchObject({
    heldMinor: 40_00,
    payouts: ['APPROVED 4000'],
  });
  one.bank.mood = 'loses the answer';
  await processAgain(one);
  await expect(one.send()).rejects.toThrow('broke');
  one.bank.mood = 'sends';
  await one.send();
  expect(keysOf(one.bank)).toEqual([`${one.payoutId}:2`]);
  expect(await fundsOf(own.db, one.one.userId)).toMatchObject({ payouts: ['COMPLETED 4000'] });
});

test('the late answer about an earlier transfer changes nothing of the next one', async () => {
  const one = await marked('refuses');
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const slow = {
    code: 'sandbox',
    ...{ methods: ['CARD' as const], certainAfterMs: 0, remembersForMs: null },
    sendTransfer: async () => {
      await held;
      return { status: 'refused', reason: 'late' } as const;
    },
    lookUpTransfer: () => Promise.resolve(null),
  };
  const late = payoutSteps(own.db, slow).sendPayout({ payoutId: one.payoutId, at: at() });
  await one.send();
  one.bank.mood = 'is silent';
  await processAgain(one);
  expect(await one.send()).toBe('UNDER_WAY');
  release();
  await late;
  expect(await fundsOf(own.db, one.one.userId)).toMatchObject({ payouts: ['PROCESSING 4000'] });
  one.bank.arrives(one.bank.sent[0]!);
  await one.send();
});

test('sent by eight at once, it is booked once', async () => {
  const { one, send } = await marked();
  await Promise.allSettled(Array.from({ length: 8 }, send));
  await send();
  expect(await fundsOf(own.db, one.userId)).toMatchObject({ heldMinor: 0, payouts: ['COMPLETED 4000'] });
});

describe('by a person', () => {
  const complete = async (
    steps: ReturnType<typeof payoutSteps>,
    payoutId: string,
    text: string | null,
    outcome: 'DONE' | 'REFUSED' = 'DONE',
  ) => {
    const report = { ...(await decision(own.db, payoutId, { text })), outcome };
    return () =>
      steps.completePayout(report).then(
        ({ status, arrivedBy }) => (arrivedBy === undefined ? status : `${status} ${arrivedBy}`),
        (error: unknown) => refusalIn(error)?.reason ?? refusalIn(error)?.code ?? String(error),
      );
  };

  test('a reference is required, and pays once, whatever it looks like', async () => {
    const steps = payoutSteps(own.db, null);
    const [first, second] = [await payee(own.db), await payee(own.db, { kind: 'WALLET' })];
    const [a, b] = [await processed(own.db, steps, first), await processed(own.db, steps, second)];
    expect(await (await complete(steps, a, null))()).toBe('VALIDATION_ERROR');
    const done = await complete(steps, a, 'OUT 77');
    expect([await done(), await done()]).toEqual(['COMPLETED', 'COMPLETED']);
    expect(await (await complete(steps, b, 'out77'))()).toBe('TRANSFER_ALREADY_USED');
    expect(await (await complete(steps, b, 'OUT 78'))()).toBe('COMPLETED');
    expect(await fundsOf(own.db, second.userId)).toMatchObject({ walletMinor: 60_00, heldMinor: 0 });
  });

  test('the reference that was entered when it was processed suffices', async () => {
    const steps = payoutSteps(own.db, null);
    const one = await payee(own.db);
    const payoutId = await processed(own.db, steps, one);
    await execute(own.db, `UPDATE payouts SET external_reference = 'OUT 90' WHERE id = $1`, [payoutId]);
    expect(await (await complete(steps, payoutId, null))()).toBe('COMPLETED');
  });

  test('DONE and REFUSED by eight at once have one effect', async () => {
    const steps = payoutSteps(own.db, null);
    for (let round = 0; round < 4; round++) {
      const one = await payee(own.db);
      const payoutId = await processed(own.db, steps, one);
      const reports = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          complete(steps, payoutId, `R ${round} ${n}`, (n + round) % 2 === 0 ? 'DONE' : 'REFUSED'),
        ),
      );
      const outcomes = await Promise.all(reports.map((report) => report()));
      const { payouts } = await fundsOf(own.db, one.userId);
      expect(['COMPLETED 4000', 'APPROVED 4000']).toContain(payouts[0]);
      const tooLate = payouts[0] === 'COMPLETED 4000' ? 'ALREADY_SETTLED' : 'NOT_PROCESSING';
      expect(outcomes.filter((outcome) => outcome === tooLate)).toHaveLength(7);
    }
  });

  test('while its provider sends it nobody settles it, unless the money has arrived', async () => {
    const { bank, steps, one, payoutId, send } = await marked('is silent');
    await send();
    expect(await (await complete(steps, payoutId, 'OUT 1'))()).toBe('CANNOT_SETTLE');
    expect(await (await complete(steps, payoutId, 'OUT 1', 'REFUSED'))()).toBe('CANNOT_SETTLE');
    bank.arrives(bank.sent[0]!);
    expect(await (await complete(steps, payoutId, null))()).toBe('COMPLETED sandbox');
    expect(await fundsOf(own.db, one.userId)).toMatchObject({ heldMinor: 0, payouts: ['COMPLETED 4000'] });
  });

  test('abandoned while it may arrive: not handed over, not refused, and completed by what arrived', async () => {
    const { bank, steps, payoutId, send } = await marked('is silent');
    await send();
    expect(await steps.handOverPayout({ payoutId, at: at() })).toMatch('may still send');
    expect(await (await complete(steps, payoutId, 'OUT 2', 'REFUSED'))()).toBe('CANNOT_SETTLE');
    bank.arrives(bank.sent[0]!);
    expect(await (await complete(steps, payoutId, 'OUT 2'))()).toBe('COMPLETED sandbox');
  });

  test('abandoned once it certainly was not carried out, and refused by the bank: the next transfer has another key', async () => {
    const one = await marked('is not reached');
    await expect(one.send()).rejects.toThrow('not reached');
    one.bank.mood = 'sends';
    expect(await one.steps.handOverPayout({ payoutId: one.payoutId, at: at() })).toBeNull();
    expect(await (await complete(one.steps, one.payoutId, 'OUT 3', 'REFUSED'))()).toBe('APPROVED');
    await processAgain(one);
    await one.send();
    expect(keysOf(one.bank)).toEqual([`${one.payoutId}:2`]);
  });
});

test("processed with the bank's reference, a person has sent it: no provider is asked, and it is settled by that reference", async () => {
  const bank = new FakePayouts();
  const steps = payoutSteps(own.db, bank, { variables: { POLICY_PAYOUT_FOUR_EYES: '10' } });
  const one = await payee(own.db);
  const payoutId = await requested(steps, one);
  await steps.approvePayout(await decision(own.db, payoutId));
  const { id: by } = await make.admin(own.db);
  const reference = `WIRE ${payoutId}`;
  expect(await steps.processPayout(await decision(own.db, payoutId, { by, text: reference }))).toMatchObject({
    status: 'PROCESSING',
    transfer: { provider: 'bank' },
  });
  expect(await steps.sendPayout({ payoutId, at: at() })).toBe('ENDED');
  expect(bank.sent).toEqual([]);
  const complete = async (who?: string) =>
    steps.completePayout({
      ...(await decision(own.db, payoutId, who === undefined ? {} : { by: who })),
      outcome: 'DONE',
    });
  await expect(complete(by)).rejects.toMatchObject({ type: 'FORBIDDEN' });
  expect(await complete()).toMatchObject({ status: 'COMPLETED' });
  expect(await fundsOf(own.db, one.userId)).toMatchObject({ heldMinor: 0, payouts: ['COMPLETED 4000'] });
});

test('the destination is deleted some time after it was sent', async () => {
  const { payoutId, send } = await marked();
  const waiting = await marked();
  await send();
  const policy = policyFrom({});
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
  const hasDetails = (id: string) =>
    firstRow(
      own.db,
      'SELECT details IS NOT NULL AS kept, masked_details AS masked FROM payouts WHERE id = $1',
      [id],
    );
  await forgetExpired(own.db, inDays(89), policy);
  expect(await hasDetails(payoutId)).toEqual({ kept: true, masked: '•••• 4242' });
  await forgetExpired(own.db, inDays(91), policy);
  expect(await hasDetails(payoutId)).toEqual({ kept: false, masked: '•••• 4242' });
  expect(await hasDetails(waiting.payoutId)).toEqual({ kept: true, masked: '•••• 4242' });
});
