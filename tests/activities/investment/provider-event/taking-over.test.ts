import { v7 } from 'uuid';
import { enqueueMail } from '../../../../db/administration/outbox/outbox.writes';
import { eraseReportsOn } from '../../../../db/administration/webhook/webhook-erasure.transitions';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { make } from '../../../support/builders/make';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { reporting } from './reporting';

const own = ownDatabase();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

/** A user who invests by a strategy, and a provider that reports 1,000. */
async function begin(offer: Parameters<typeof make.strategy>[1] = {}) {
  const user = await make.user(own.db, { kycLevel: 'STANDARD' });
  const strategy = await make.strategy(own.db, offer);
  const of = { userId: user.id, strategyId: strategy.id, providerCode: strategy.providerCode };
  const steps = reporting(own.db, strategy.providerCode);
  const created = (startDate: string, more: Record<string, unknown> = {}) => ({
    type: 'investment.created',
    data: {
      ...{ externalId: v7(), userId: user.id, strategyCode: strategy.strategyCode, amount: 1_000 },
      ...{ currency: strategy.currency, startDate, ...more },
    },
  });
  return { ...steps, of, created };
}

const statuses = (userId: string) =>
  rows<{ id: string; status: string; externalId: string | null }>(
    own.db,
    'SELECT id, status, external_id FROM participations WHERE user_id = $1 ORDER BY id',
    [userId],
  );

describe('investment.created that comes late', () => {
  test.each(['WITHDRAWN', 'MATURED'] as const)(
    'confirms the investment that is %s: it is not made again, nothing is paid twice',
    async (status) => {
      const { of, report, created } = await begin();
      const at = new Date('2026-05-01T10:00:00Z');
      const ended = await make.participation(own.db, { ...of, status, at, durationDays: 30 });
      const late = created('2026-05-03');
      expect(await report(late)).toEqual({ outcome: 'APPLIED', participation: null, wake: [] });
      expect(await statuses(of.userId)).toEqual([{ id: ended.id, status, externalId: late.data.externalId }]);
      const deposits = await rows(
        own.db,
        `SELECT 1 FROM investment_transactions WHERE user_id = $1 AND type = 'DEPOSIT'`,
        [of.userId],
      );
      expect(deposits).toHaveLength(1);
    },
  );

  test('is about the one that runs; the next, of one that has matured, about that', async () => {
    const { of, report, created } = await begin();
    const first = await make.participation(own.db, {
      ...{ ...of, status: 'MATURED', durationDays: 90, at: new Date('2026-03-01T10:00:00Z') },
    });
    const next = await make.participation(own.db, {
      ...{ ...of, status: 'ACTIVE', reinvestedFromId: first.id, at: new Date('2026-05-30T10:00:00Z') },
    });
    const [ofNext, ofFirst] = [created('2026-05-30'), created('2026-03-01')];
    await report(ofNext);
    await report(ofFirst);
    expect(await statuses(of.userId)).toEqual([
      { id: first.id, status: 'MATURED', externalId: ofFirst.data.externalId },
      { id: next.id, status: 'ACTIVE', externalId: ofNext.data.externalId },
    ]);
  });

  test('of money that came after the end of the other one is new', async () => {
    const { of, report, created } = await begin();
    const ended = await make.participation(own.db, {
      ...{ ...of, status: 'WITHDRAWN', at: new Date('2026-03-01T10:00:00Z') },
    });
    const fresh = created('2026-06-01');
    expect(await report(fresh)).toMatchObject({ outcome: 'APPLIED', participation: { exists: true } });
    expect(await statuses(of.userId)).toEqual([
      { id: ended.id, status: 'WITHDRAWN', externalId: null },
      { id: expect.any(String) as string, status: 'ACTIVE', externalId: fresh.data.externalId },
    ]);
  });
});

describe('an investment that waits for its payment', () => {
  test('stays unpaid where a newer one runs, whose money was passed on: the report is of that', async () => {
    const { of, report, created } = await begin();
    const unpaid = await make.participation(own.db, { ...of, paymentMethod: 'BANK_TRANSFER' });
    const paid = await make.participation(own.db, { ...of, status: 'ACTIVE' });
    const reported = created(new Date().toISOString());
    expect(await report(reported)).toMatchObject({ outcome: 'APPLIED' });
    expect(await statuses(of.userId)).toEqual([
      { id: unpaid.id, status: 'PENDING_PAYMENT', externalId: null },
      { id: paid.id, status: 'ACTIVE', externalId: reported.data.externalId },
    ]);
  });

  test('that expires while it is chosen is not activated: the next one is', async () => {
    const { of, store, apply, created } = await begin();
    const [expiring, next] = [await make.participation(own.db, of), await make.participation(own.db, of)];
    const reported = created(new Date().toISOString());
    const id = await store(reported);
    let applied: Promise<unknown> = Promise.resolve();
    await inTransaction(own.db, async (tx) => {
      await execute(
        tx,
        `UPDATE participations SET status = 'CANCELLED', payment_status = 'FAILED', ended_at = now() WHERE id = $1`,
        [expiring.id],
      );
      await execute(
        tx,
        'UPDATE investment_strategies SET reserved_minor = reserved_minor - 100000 WHERE id = $1',
        [of.strategyId],
      );
      applied = apply(id);
      await blockedBySelect();
    });
    expect(await applied).toMatchObject({ outcome: 'APPLIED' });
    expect(await statuses(of.userId)).toEqual([
      { id: expiring.id, status: 'CANCELLED', externalId: null },
      { id: next.id, status: 'ACTIVE', externalId: reported.data.externalId },
    ]);
  });

  test('is no longer asked to be paid once its provider has the money', async () => {
    const { of, report, created } = await begin();
    const waiting = await make.participation(own.db, { ...of, paymentMethod: 'BANK_TRANSFER' });
    await inTransaction(own.db, (tx) =>
      enqueueMail(tx, {
        ...{ reference: `participation:${waiting.id}:transfer`, to: 'ada@example.com' },
        ...{ subject: 'Please transfer', text: 'Please transfer.', html: '<p>Please transfer.</p>' },
      }),
    );
    await report(created(new Date().toISOString(), { participationId: waiting.id }));
    expect(
      await firstRow(own.db, 'SELECT 1 FROM outbox_messages WHERE reference = $1', [
        `participation:${waiting.id}:transfer`,
      ]),
    ).toBeNull();
  });
});

describe('an investment that was cancelled here, and then paid at its provider', () => {
  test.each([false, true])('is made again, and a person is asked; confirmed: %s', async (confirmed) => {
    const { of, store, apply, created } = await begin();
    const cancelled = await make.participation(own.db, { ...of, status: 'CANCELLED' });
    const reported = created(new Date().toISOString(), { participationId: cancelled.id });
    const id = await store(reported);
    if (confirmed)
      await execute(own.db, 'UPDATE webhook_events SET confirmed_at = now() WHERE id = $1', [id]);
    expect(await apply(id)).toMatchObject({
      outcome: 'APPLIED',
      participation: { exists: true },
      toDecide: expect.stringContaining(
        `Its participation ${cancelled.number} was cancelled here before it was paid.`,
      ) as string,
    });
    expect(await statuses(of.userId)).toEqual([
      { id: cancelled.id, status: 'CANCELLED', externalId: null },
      { id: expect.any(String) as string, status: 'ACTIVE', externalId: reported.data.externalId },
    ]);
    expect(await apply(await store(reported))).toMatchObject({ outcome: 'WITHOUT_EFFECT' });
  });

  test.each([
    { offered: true, compounding: true, autoReinvest: true },
    { offered: false, compounding: false, autoReinvest: false },
  ])(
    'is reinvested as its owner had asked, where that is offered: $offered',
    async ({ offered, ...options }) => {
      const { of, report, created } = await begin({
        compoundingAvailable: offered,
        automaticReinvestment: offered,
      });
      const asked = { compounding: true, autoReinvest: true };
      const { id } = await make.participation(own.db, { ...of, ...asked, status: 'CANCELLED' });
      await report(created(new Date().toISOString(), { participationId: id }));
      expect(
        await firstRow(
          own.db,
          `SELECT compounding, auto_reinvest FROM participations WHERE user_id = $1 AND status = 'ACTIVE'`,
          [of.userId],
        ),
      ).toEqual(options);
    },
  );
});

/** Waits until another transaction waits for a lock on participations. */
async function blockedBySelect(): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const blocked = await firstRow(
      own.db,
      `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()
         AND query LIKE '%FROM participations%FOR NO KEY UPDATE%'`,
    );
    if (blocked) return;
    await new Promise((done) => setTimeout(done, 25));
  }
  throw new Error('Nothing waited for the participation.');
}

describe('an investment that a provider reports of a user who never went there', () => {
  test('waits as one of an unknown user does, whatever else is wrong with it; after their sign-in it is made', async () => {
    const { of, store, apply, row, created } = await begin();
    const { email } = (await firstRow<{ email: string }>(own.db, 'SELECT email FROM users WHERE id = $1', [
      of.userId,
    ]))!;
    const probe = await store(
      created('2026-06-01', { userId: undefined, email, amount: 2_000, maturityDate: '2026-05-01' }),
    );
    const unknown = await store(created('2026-06-01', { userId: undefined, email: 'nobody@example.com' }));
    const real = await store(created('2026-06-01'));
    for (const id of [probe, unknown, real]) expect(await apply(id)).toMatchObject({ outcome: 'WAITING' });
    expect(await row(probe)).toMatchObject({
      status: 'WAITING',
      error: `Its user ${of.userId} has no investment at this provider, and never went there from here to sign in.`,
    });
    expect(await statuses(of.userId)).toEqual([]);
    await make.signedIn(own.db, of.providerCode, of.userId);
    expect(await apply(real)).toMatchObject({ outcome: 'APPLIED' });
    expect(await apply(probe)).toEqual({
      outcome: 'DEAD',
      reason: 'Its maturityDate 2026-05-01 is earlier than its startDate 2026-06-01.',
    });
    expect(await statuses(of.userId)).toHaveLength(1);
  });

  test('is made once a person has confirmed it', async () => {
    const { of, store, apply, created } = await begin();
    const id = await store(created('2026-06-01'));
    expect(await apply(id)).toMatchObject({ outcome: 'WAITING' });
    await execute(own.db, 'UPDATE webhook_events SET confirmed_at = now() WHERE id = $1', [id]);
    expect(await apply(id)).toMatchObject({ outcome: 'APPLIED', participation: { exists: true } });
    expect(await statuses(of.userId)).toMatchObject([{ status: 'ACTIVE' }]);
  });
});

describe('the erasure of an account', () => {
  test('deletes the texts that name an email address that it had before, applied or dead', async () => {
    const { of, store, apply, created } = await begin();
    await make.signedIn(own.db, of.providerCode, of.userId);
    const { email } = (await firstRow<{ email: string }>(own.db, 'SELECT email FROM users WHERE id = $1', [
      of.userId,
    ]))!;
    const named = (more: object) => store(created('2026-06-01', { userId: undefined, email, ...more }));
    const [applied, dead] = [await named({}), await named({ maturityDate: '2026-05-01' })];
    expect(await apply(applied)).toMatchObject({ outcome: 'APPLIED' });
    expect(await apply(dead)).toMatchObject({ outcome: 'DEAD' });
    await execute(own.db, 'UPDATE users SET email = $2 WHERE id = $1', [of.userId, `new-${email}`]);
    await execute(own.db, 'UPDATE webhook_events SET reconciled_at = now()');
    await inTransaction(own.db, (tx) => eraseReportsOn(tx, of.userId));
    expect(
      await rows(
        own.db,
        'SELECT body, user_id, subject IS NOT NULL AS has_subject FROM webhook_events WHERE id = ANY ($1)',
        [[applied, dead]],
      ),
    ).toEqual(Array(2).fill({ body: null, userId: of.userId, hasSubject: true }));
  });
});

describe('reports of a provider that was switched off', () => {
  test('wait until it is active again', async () => {
    const { of, store, apply, row, created } = await begin();
    await make.signedIn(own.db, of.providerCode, of.userId);
    const id = await store(created('2026-06-01'));
    const switchTo = (isActive: boolean) =>
      execute(own.db, 'UPDATE investment_providers SET is_active = $2 WHERE code = $1', [
        of.providerCode,
        isActive,
      ]);
    await switchTo(false);
    expect(await apply(id)).toEqual({ outcome: 'WAITING', reason: 'Its provider is switched off.' });
    expect(await row(id)).toMatchObject({ status: 'WAITING', error: 'Its provider is switched off.' });
    expect(await statuses(of.userId)).toEqual([]);
    await switchTo(true);
    expect(await apply(id)).toMatchObject({ outcome: 'APPLIED' });
  });
});
