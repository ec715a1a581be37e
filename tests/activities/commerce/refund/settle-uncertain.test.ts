import { v7 } from 'uuid';
import { CERTAIN_AFTER_MS } from '../../../../activities/providers/payouts/port';
import { paymentRefund } from '../../../../db/commerce/refund/payment-refund.reads';
import { readRefund } from '../../../../db/commerce/refund/refund.transitions';
import { execute, rows } from '../../../../db/sql/query';
import { refusalIn } from '../../../../workflows/errors';
import { given } from '../../../support/builders/given';
import { make } from '../../../support/builders/make';
import { noteOf, orderState, orderSteps } from '../../../support/builders/ordering';
import { approve, deliveredOrder, refundState, requestRefund } from '../../../support/builders/refunding';
import { violations } from '../../../support/checks/violations';
import { restored } from '../../../support/builders/paying-out/restoring';
import { FakeBank } from '../../../support/fakes/fake-bank';
import { ownDatabase } from '../../../support/servers/database';
import { asActivity } from '../../../support/servers/run-activity';

/** Refunds whose provider was asked and did not answer: they are given up, and a person settles them. */
const own = ownDatabase();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
  await execute(own.db, 'DELETE FROM restores');
});

const now = (): string => new Date().toISOString();

/** Asks the bank to send a refund, whose answer never comes. */
async function askedInVain(bank: FakeBank, refundId: string, mood: FakeBank['mood'] = 'is not reached') {
  bank.mood = mood;
  const send = asActivity(orderSteps(own.db, bank).sendRefund);
  await expect(send({ refundId, again: false, at: now() })).rejects.toThrow();
  bank.mood = 'answers';
}

/** Gives a refund up; answers why it is not. */
const giveUp = (bank: FakeBank | undefined, refundId: string, retired?: string) =>
  orderSteps(own.db, bank, undefined, retired).abandonRefund({ refundId, at: now() });

/** Asks the bank, which does not receive it, and gives the refund up; then the bank carries it out after all. */
async function givenUp(bank: FakeBank, refundId: string) {
  await askedInVain(bank, refundId);
  expect(await giveUp(bank, refundId)).toBeNull();
  bank.carriesOut(`${refundId}:1`, (await readRefund(own.db, refundId)).amountMinor);
}

/** A refund of 50.00 of a cancelled order whose bank was asked in vain. */
async function cancelledAndAsked(mood?: FakeBank['mood']) {
  const bank = new FakeBank();
  const order = await given(own.db).order({ provider: bank }).paid().cancelled();
  await askedInVain(bank, order.refundId, mood);
  return { bank, order, refundId: order.refundId };
}

/** The same, given up; unless `isSent` is false, the bank has sent it after that. */
async function cancelledAndGivenUp({ isSent = true } = {}) {
  const bank = new FakeBank();
  const order = await given(own.db).order({ provider: bank }).paid().cancelled();
  const { refundId } = order;
  if (isSent) await givenUp(bank, refundId);
  else {
    await askedInVain(bank, refundId);
    expect(await giveUp(bank, refundId)).toBeNull();
  }
  return { bank, order, refundId };
}

const answer = (work: Promise<void>): Promise<string> =>
  work.then(
    () => 'settled',
    (error: unknown) => {
      const refused = refusalIn(error);
      if (!refused) throw error;
      return `${refused.code}: ${refused.message}`;
    },
  );

/** The report of a person that may be sent any number of times. */
async function reporting(
  bank: FakeBank | undefined,
  refundId: string,
  reference: string = v7(),
  retired?: string,
) {
  const noteId = await noteOf(own.db, (await make.admin(own.db)).id, reference);
  const { settleRefund } = orderSteps(own.db, bank, undefined, retired);
  return () => answer(settleRefund({ refundId, noteId, at: now() }));
}

const settledAs = async (refundId: string): Promise<unknown> =>
  (
    await rows(
      own.db,
      `SELECT r.status, r.sendings, r.provider_refund_id IS NOT NULL AS by_provider,
         (SELECT json_agg(a.next) FROM audit_records a WHERE a.entity_id = r.id::text) AS audited
       FROM payment_refunds r WHERE r.id = $1`,
      [refundId],
    )
  )[0];

const BY_PROVIDER =
  'ALREADY_SETTLED: The money had already been sent through fake-bank, so this refund is completed by that.';

test('the provider had sent it: that completes it, and the person learns of it, however often an answer is lost', async () => {
  const { bank, order, refundId } = await cancelledAndGivenUp();
  const report = await reporting(bank, refundId, 'OUT 1');
  expect([await report(), await report()]).toEqual([BY_PROVIDER, BY_PROVIDER]);
  expect(await (await reporting(bank, refundId))()).toBe(BY_PROVIDER);
  expect((await orderState(own.db, order)).order).toBe('CANCELLED REFUNDED');
  expect(await settledAs(refundId)).toEqual({
    ...{ status: 'COMPLETED', byProvider: true, sendings: 1 },
    audited: [
      {
        ...{ status: 'COMPLETED', provider: 'fake-bank', alsoSentAs: 'OUT 1' },
        reference: expect.any(String) as string,
      },
    ],
  });
  expect(bank.sent).toEqual([`${refundId}:1`]);
});

test('named by its person, what the provider had sent settles it', async () => {
  const { bank, refundId } = await cancelledAndGivenUp();
  const sent = await bank.lookUpRefund({ key: `${refundId}:1` });
  const report = await reporting(bank, refundId, sent?.status === 'completed' ? sent.refundId : '');
  expect([await report(), await report()]).toEqual(['settled', 'settled']);
  expect(await settledAs(refundId)).toMatchObject({ status: 'COMPLETED', byProvider: true });
});

test('the provider had sent another amount: only a person who names that settles it', async () => {
  const { bank, refundId } = await cancelledAndGivenUp();
  bank.carriesOut(`${refundId}:1`, 70_00);
  const sent = await bank.lookUpRefund({ key: `${refundId}:1` });
  const name = sent?.status === 'completed' ? sent.refundId : '';
  expect(await (await reporting(bank, refundId))()).toBe(
    `CANNOT_SETTLE: fake-bank has sent 70.00 USD of this refund. Give ${name} as the reference to complete it by that transfer.`,
  );
  expect(await settledAs(refundId)).toMatchObject({ status: 'ABANDONED' });
  expect(await (await reporting(bank, refundId, name))()).toBe('settled');
  expect(await settledAs(refundId)).toMatchObject({ audited: [{ reference: name, sentMinor: 70_00 }] });
});

test('the provider had sent a later attempt, which a restored database does not know: that completes it, and is recorded', async () => {
  const { bank, refundId } = await cancelledAndGivenUp({ isSent: false });
  bank.carriesOut(`${refundId}:3`, 50_00);
  expect(await (await reporting(bank, refundId))()).toBe(BY_PROVIDER);
  expect(await settledAs(refundId)).toMatchObject({ status: 'COMPLETED', byProvider: true, sendings: 3 });
});

test('the provider does not know it: what the person sent settles it', async () => {
  const { bank, refundId } = await cancelledAndGivenUp({ isSent: false });
  expect(await (await reporting(bank, refundId))()).toBe('settled');
  expect(await settledAs(refundId)).toMatchObject({ status: 'COMPLETED', byProvider: false });
});

test('while the provider cannot say, or is not set up any more, nobody settles it', async () => {
  const { bank, refundId } = await cancelledAndGivenUp();
  bank.mood = 'is not reached';
  const report = await reporting(bank, refundId);
  expect(await report()).toBe(
    'CANNOT_SETTLE: fake-bank cannot say now whether it has already sent this refund. Try again later.',
  );
  expect(await (await reporting(undefined, refundId))()).toMatch(
    /^CANNOT_SETTLE: fake-bank was asked to send this refund, and is not set up here any more\./,
  );
  expect(await settledAs(refundId)).toMatchObject({ status: 'ABANDONED' });
});

/** Makes the last call so old that one which is not found was certainly not carried out. */
const askedLongAgo = (refundId: string) =>
  execute(own.db, `UPDATE payment_refunds SET asked_at = asked_at - interval '6 minutes' WHERE id = $1`, [
    refundId,
  ]);

describe('given up after its provider was asked', () => {
  test('the provider has sent it, and its answer was lost: it is completed, and nobody is told to send it', async () => {
    const { bank, order, refundId } = await cancelledAndAsked('loses the answer');
    bank.mood = 'answers';
    expect(await giveUp(bank, refundId)).toBeNull();
    expect(await settledAs(refundId)).toMatchObject({ status: 'COMPLETED', byProvider: true });
    expect((await orderState(own.db, order)).order).toBe('CANCELLED REFUNDED');
    expect(await (await reporting(bank, refundId))()).toBe(BY_PROVIDER);
  });

  test('the provider had sent it and could not deliver it, which its look-up does not show: a person sends it', async () => {
    const { bank, refundId } = await cancelledAndAsked('loses the answer');
    bank.mood = 'answers';
    const sent = await bank.lookUpRefund({ key: `${refundId}:1` });
    const transferId = sent?.status === 'completed' ? sent.refundId : '';
    await execute(
      own.db,
      `INSERT INTO failed_refunds (provider, provider_refund_id, capture_id, failed_at)
       SELECT $1, $2, capture_id, now() FROM payment_refunds WHERE id = $3`,
      [bank.code, transferId, refundId],
    );
    expect(await (await reporting(bank, refundId))()).toBe(
      'CANNOT_SETTLE: Its provider could not deliver this refund. Abandon the operation first.',
    );
    expect(await giveUp(bank, refundId)).toBeNull();
    expect(await paymentRefund(own.db, refundId)).toMatchObject({
      ...{ status: 'ABANDONED', needsTransfer: true },
    });
    expect(await (await reporting(bank, refundId))()).toBe('settled');
    expect(await settledAs(refundId)).toMatchObject({ status: 'COMPLETED', byProvider: false });
  });

  test('only just now: it stays with the provider, which may carry it out yet, and nobody settles it', async () => {
    const { bank, refundId } = await cancelledAndAsked();
    bank.certainAfterMs = CERTAIN_AFTER_MS;
    const why = 'fake-bank was asked for this refund only just now, and may still send it. Try again later.';
    expect(await giveUp(bank, refundId)).toEqual({ kept: why });
    expect(await (await reporting(bank, refundId))()).toBe(`CANNOT_SETTLE: ${why}`);
    expect(await paymentRefund(own.db, refundId)).toMatchObject({
      ...{ status: 'PROCESSING', needsTransfer: false },
    });
    await askedLongAgo(refundId);
    expect(await giveUp(bank, refundId)).toBeNull();
    expect(await paymentRefund(own.db, refundId)).toMatchObject({
      ...{ status: 'ABANDONED', needsTransfer: true },
    });
    expect(await (await reporting(bank, refundId))()).toBe('settled');
  });

  test('asked again after that: the age of the last call counts', async () => {
    const { bank, refundId } = await cancelledAndAsked();
    bank.certainAfterMs = CERTAIN_AFTER_MS;
    await askedLongAgo(refundId);
    jest.spyOn(bank, 'refund').mockRejectedValueOnce(new Error('The connection broke.'));
    await askedInVain(bank, refundId, 'answers');
    expect(await giveUp(bank, refundId)).toMatchObject({
      kept: expect.stringContaining('only just now') as string,
    });
  });

  test.each([
    ['keeps it pending', 'fake-bank may still send this refund. Cancel it there first.'],
    ['is not reached', 'fake-bank cannot say now whether it has already sent this refund. Try again later.'],
  ] as const)('the provider %s: it stays with it', async (mood, why) => {
    const { bank, refundId } = await cancelledAndAsked();
    bank.mood = mood;
    if (mood === 'keeps it pending') await bank.refund({ key: `${refundId}:1`, amountMinor: 50_00 });
    expect(await giveUp(bank, refundId)).toEqual({ kept: why });
    expect(await settledAs(refundId)).toMatchObject({ status: 'PROCESSING' });
  });

  test('another amount was sent: a person settles it by the reference of that', async () => {
    const { bank, refundId } = await cancelledAndAsked();
    bank.carriesOut(`${refundId}:1`, 70_00);
    const sent = await bank.lookUpRefund({ key: `${refundId}:1` });
    const name = sent?.status === 'completed' ? sent.refundId : '';
    expect(await giveUp(bank, refundId)).toEqual({
      kept: `fake-bank has sent 70.00 USD of this refund, as ${name}. A person settles it by that reference.`,
    });
    expect(await (await reporting(bank, refundId, name))()).toBe('settled');
    expect(await settledAs(refundId)).toMatchObject({ status: 'COMPLETED', byProvider: true });
  });

  test('the provider is not set up here any more: it stays with it, until that is gone for good', async () => {
    const { refundId } = await cancelledAndAsked();
    expect(await giveUp(undefined, refundId)).toEqual({
      kept: expect.stringMatching(/not set up here any more.*name it in PROVIDERS_RETIRED\.$/) as string,
    });
    expect(await giveUp(undefined, refundId, 'fake-bank')).toMatchObject({
      kept: expect.stringContaining('only just now') as string,
    });
    await askedLongAgo(refundId);
    expect(await giveUp(undefined, refundId, 'fake-bank')).toBeNull();
    expect(await (await reporting(undefined, refundId, 'OUT 3', 'fake-bank'))()).toBe('settled');
    expect(await settledAs(refundId)).toMatchObject({ status: 'COMPLETED', byProvider: false });
  });

  test('the provider is gone for good, and its statement has it: a person completes it by that', async () => {
    const { order, refundId } = await cancelledAndAsked();
    await askedLongAgo(refundId);
    const report = await reporting(undefined, refundId, 're_of_statement', 'fake-bank');
    expect([await report(), await report()]).toEqual(['settled', 'settled']);
    expect(await settledAs(refundId)).toMatchObject({ status: 'COMPLETED', byProvider: true });
    expect((await orderState(own.db, order)).order).toBe('CANCELLED REFUNDED');
    const other = await cancelledAndAsked();
    await askedLongAgo(other.refundId);
    expect(await (await reporting(undefined, other.refundId, 're_of_statement', 'fake-bank'))()).toMatch(
      /^VALIDATION_ERROR/,
    );
  });
});

test('asked only after the provider was looked at: nobody settles it by that look', async () => {
  const bank = new FakeBank();
  const { refundId } = await given(own.db).order({ provider: bank }).paid().cancelled();
  await givenUp(bank, refundId);
  const looking = bank.lookUpRefund.bind(bank);
  bank.lookUpRefund = async (order) => {
    const known = await looking(order);
    await execute(own.db, `UPDATE payment_refunds SET asked_at = now() WHERE id = $1`, [refundId]);
    return known;
  };
  expect(await (await reporting(bank, refundId))()).toBe(
    'CANNOT_SETTLE: The refund has only just changed. Try again.',
  );
});

/** A refund of a copy in which it was not asked for, which was restored, looked up in vain and given up. */
async function restoredAndGivenUp(isSent: boolean) {
  const bank = new FakeBank();
  const order = await given(own.db).order({ provider: bank }).paid().cancelled();
  const { refundId } = order;
  await (
    await restored(own)
  )();
  await askedInVain(bank, refundId);
  expect(await giveUp(bank, refundId)).toBeNull();
  if (isSent) bank.carriesOut(`${refundId}:1`, 50_00);
  expect(bank.requests).toEqual(['look up', 'look up']);
  expect(await rows(own.db, 'SELECT asked_at FROM payment_refunds WHERE id = $1', [refundId])).toEqual([
    { askedAt: null },
  ]);
  return { bank, order, refundId };
}

test('the provider had sent it after the copy of a restored database: that completes it', async () => {
  const { bank, refundId } = await restoredAndGivenUp(true);
  expect(await (await reporting(bank, refundId, 'OUT 1'))()).toBe(BY_PROVIDER);
  expect(await settledAs(refundId)).toMatchObject({ status: 'COMPLETED', byProvider: true });
  expect(bank.sent).toEqual([`${refundId}:1`]);
});

test('nobody settles a refund of before a restore while its provider cannot say, and a person does then', async () => {
  const { bank, refundId } = await restoredAndGivenUp(false);
  bank.mood = 'is not reached';
  const report = await reporting(bank, refundId);
  expect(await report()).toMatch(/^CANNOT_SETTLE: fake-bank cannot say now/);
  expect(await (await reporting(undefined, refundId))()).toMatch(
    /^CANNOT_SETTLE: fake-bank was asked to send this refund, and is not set up here any more\./,
  );
  bank.mood = 'answers';
  expect(await report()).toBe('settled');
  expect(await settledAs(refundId)).toMatchObject({ status: 'COMPLETED', byProvider: false });
});

test('given up longer ago than a restore may be unrecorded: its provider is looked at first', async () => {
  const bank = new FakeBank();
  const { refundId } = await given(own.db).order({ provider: bank }).paid().cancelled();
  await orderSteps(own.db, bank).abandonRefund({ refundId, at: now() });
  const old = `UPDATE payment_refunds SET created_at = now() - interval '25 hours' WHERE id = $1`;
  await execute(own.db, old, [refundId]);
  const report = await reporting(bank, refundId);
  expect(await report()).toBe('settled');
  expect(bank.requests).toEqual(['look up']);
});

test('the request is done, and the order with it, by what the provider had sent', async () => {
  const bank = new FakeBank();
  const order = await deliveredOrder(own.db, { provider: bank });
  const asked = await requestRefund(own.db, order);
  const { refundId } = (await approve(own.db, asked)).refundsDue[0]!;
  await givenUp(bank, refundId);
  expect(await refundState(own.db, asked)).toMatchObject({ request: 'FAILED' });
  expect(await (await reporting(bank, refundId))()).toBe(BY_PROVIDER);
  expect(await refundState(own.db, asked)).toMatchObject({
    ...{ request: 'COMPLETED', order: 'REFUNDED REFUNDED' },
  });
});
