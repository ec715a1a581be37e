import { randomUUID } from 'node:crypto';
import { execute, rows } from '../../../../db/sql/query';
import { REFUSING_CARD, SILENT_CARD } from '../../../support/builders/investing/withdrawing';
import { make } from '../../../support/builders/make';
import { fundsOf, sandboxPayoutsOf } from '../../../support/builders/paying-out/payees';
import { signIn } from '../../../support/builders/sign-in';
import { atOnce } from '../../../support/requests/at-once';
import { eventually } from '../../../support/checks/eventually';
import { violations } from '../../../support/checks/violations';
import { outcomeOf, startAdminWorld, type AdminWorld } from '../admin-world';
import { deskOf } from './desk-world';

let staff: AdminWorld;
beforeAll(async () => {
  staff = await startAdminWorld({ variables: { RATE_LIMIT_SCALE: '100', POLICY_PAYOUT_FOUR_EYES: '39' } });
});
afterAll(async () => {
  expect(await violations(staff.world.db)).toEqual([]);
  await staff.world.teardown();
});

const kinds = ['PARTNER', 'WALLET'] as const;
/** Another administrator than the one who is asked as. */
const second = async (): Promise<string> => signIn(staff.world, await make.admin(staff.world.db));
const unknown = randomUUID();

describe.each(kinds)('%s', (kind) => {
  const desk = deskOf(() => staff, kind);
  const name = kind === 'PARTNER' ? 'payouts' : 'withdrawals';

  test('approved by one, processed by another, arrived', async () => {
    const { one, id } = await desk.requested();
    const approval = await desk.approve(id, { note: 'Checked.' });
    expect(approval.body.data).toEqual({
      ...{ id, status: 'APPROVED', approvedAt: expect.any(String), approvedBy: staff.admin.id },
    });
    const same = await desk.process(id);
    expect(outcomeOf(same)).toBe('403 FORBIDDEN');
    expect(same.body.error.reason).toBe('SECOND_ADMINISTRATOR_REQUIRED');
    const { status, body } = await desk.process(id, {}, await second());
    expect(status).toBe(200);
    expect(body.data).toEqual({
      ...{ id, status: 'COMPLETED', externalReference: expect.any(String) },
      ...{ processedAt: expect.any(String), processedBy: expect.any(String), estimatedCompletion: null },
    });
    expect(await sandboxPayoutsOf(staff.world.db, one.userId)).toEqual([{ transfer: 'ARRIVED 4000' }]);
    expect(await fundsOf(staff.world.db, one.userId)).toMatchObject({
      heldMinor: 0,
      payouts: ['COMPLETED 4000'],
    });
    expect(outcomeOf(await desk.approve(id))).toBe('400 NOT_PENDING');
    expect(outcomeOf(await desk.process(id))).toBe('400 NOT_APPROVED');
    expect(outcomeOf(await desk.reject(id))).toBe('400 NOT_REJECTABLE');
    expect(outcomeOf(await desk.cancel(id))).toBe('400 NOT_CANCELLABLE');
    expect(outcomeOf(await desk.complete(id))).toBe('409 ALREADY_SETTLED');
  });

  test('one that nobody has processed is not completed', async () => {
    const { id } = await desk.requested();
    expect(outcomeOf(await desk.complete(id))).toBe('400 NOT_PROCESSING');
  });

  test('rejected, with the money back or forfeited; cancelled', async () => {
    const source = kind === 'PARTNER' ? 'availableMinor' : 'walletMinor';
    const [back, gone, cancelled] = [await desk.requested(), await desk.requested(), await desk.requested()];
    expect((await desk.reject(back.id)).body.data).toEqual({
      ...{ id: back.id, status: 'REJECTED', reason: 'Not yours.', fundsReturned: true },
      ...{ rejectedAt: expect.any(String), rejectedBy: staff.admin.id },
    });
    expect(
      (await desk.reject(gone.id, { reason: 'Fraud.', returnToBalance: false })).body.data,
    ).toMatchObject({
      fundsReturned: false,
    });
    await desk.approve(cancelled.id);
    expect((await desk.cancel(cancelled.id)).body.data).toMatchObject({
      ...{
        id: cancelled.id,
        status: 'CANCELLED',
        rejectionReason: 'At your request.',
        decidedBy: staff.admin.id,
      },
    });
    expect(await fundsOf(staff.world.db, back.one.userId)).toMatchObject({ [source]: 100_00 });
    expect(await fundsOf(staff.world.db, gone.one.userId)).toMatchObject({ [source]: 60_00, heldMinor: 0 });
    expect(await fundsOf(staff.world.db, cancelled.one.userId)).toMatchObject({ [source]: 100_00 });
    expect(outcomeOf(await desk.reject(unknown, {}))).toBe('400 VALIDATION_ERROR');
    expect(outcomeOf(await desk.cancel(unknown, { reason: '' }))).toBe('400 VALIDATION_ERROR');
  });

  test('PAYMENT_FAILED: certainly refused, APPROVED again, and processed under another key', async () => {
    const { one, id } = await desk.requested({ cardNumber: REFUSING_CARD });
    await desk.approve(id);
    expect(outcomeOf(await desk.process(id, {}, await second()))).toBe('400 PAYMENT_FAILED');
    expect((await desk.get(`/${id}`)).body.data).toMatchObject({
      ...{ status: 'APPROVED', provider: null, lastRefusal: 'The account takes no transfers.' },
    });
    expect(outcomeOf(await desk.process(id, {}, await second()))).toBe('400 PAYMENT_FAILED');
    const keys = await rows(
      staff.world.db,
      'SELECT key FROM sandbox_transfers WHERE key LIKE $1 ORDER BY key',
      [`${id}%`],
    );
    expect(keys).toEqual([{ key: `${id}:1` }, { key: `${id}:2` }]);
    expect(await fundsOf(staff.world.db, one.userId)).toMatchObject({ heldMinor: 40_00 });
    await desk.reject(id);
  });

  test('an unknown outcome is looked up: sent once', async () => {
    const { one, id } = await desk.requested({ cardNumber: SILENT_CARD });
    await desk.approve(id);
    expect(outcomeOf(await desk.process(id, {}, await second()))).toBe('200');
    await eventually(async () =>
      expect(await fundsOf(staff.world.db, one.userId)).toMatchObject({ payouts: ['COMPLETED 4000'] }),
    );
    expect(await sandboxPayoutsOf(staff.world.db, one.userId)).toEqual([{ transfer: 'ARRIVED 4000' }]);
  });

  test('several are approved at once, each by itself', async () => {
    const notFound = kind === 'PARTNER' ? 'PAYOUT_NOT_FOUND' : 'WITHDRAWAL_NOT_FOUND';
    const [first, other, mine] = [await desk.requested(), await desk.requested(), await desk.requested()];
    await execute(staff.world.db, `UPDATE users SET roles = '{USER,ADMIN}' WHERE id = $1`, [mine.one.userId]);
    const token = await signIn(staff.world, mine.one.user);
    await desk.approve(other.id);
    const { status, body } = await desk.post(
      '/approve',
      { ids: [first.id, other.id, unknown, mine.id] },
      token,
    );
    expect(status).toBe(200);
    expect(body.data.results).toEqual([
      { id: first.id, ok: true },
      { id: other.id, ok: false, error: { code: 'NOT_PENDING', message: expect.any(String) } },
      { id: unknown, ok: false, error: { code: notFound, message: expect.any(String) } },
      { id: mine.id, ok: false, error: { code: 'FORBIDDEN', message: expect.any(String) } },
    ]);
    for (const ids of [[], [first.id, first.id], Array.from({ length: 101 }, () => randomUUID()), ['x']])
      expect(outcomeOf(await desk.post('/approve', { ids }))).toBe('400 VALIDATION_ERROR');
  });

  test('twenty approvals at once make one', async () => {
    const { id } = await desk.requested();
    const answers = await atOnce(20, () => desk.approve(id));
    expect(answers.map(outcomeOf).sort()).toEqual(['200', ...Array<string>(19).fill('400 NOT_PENDING')]);
  });

  test('approve, reject, cancel and process raced: one outcome each, and the money in one place', async () => {
    for (let round = 0; round < 4; round++) {
      const { one, id } = await desk.requested();
      const other = await second();
      const all = [
        () => desk.approve(id),
        () => desk.process(id, {}, other),
        () => desk.reject(id),
        () => desk.cancel(id),
        () => desk.process(id, {}, other),
      ];
      const answers = await Promise.all(all.map((_, n) => all[(n + round) % all.length]!()));
      for (const { status } of answers) expect([200, 400]).toContain(status);
      await eventually(async () => {
        const [payout] = (await fundsOf(staff.world.db, one.userId)).payouts;
        expect(payout).not.toContain('PROCESSING');
      });
      expect(await violations(staff.world.db)).toEqual([]);
    }
  });

  test('a list with every field, filters and a summary', async () => {
    const { one, id } = await desk.requested();
    const { body } = await desk.get(`?userId=${one.userId}`);
    expect(body.data[name]).toEqual([
      {
        id,
        ...(kind === 'PARTNER' && {
          partner: { id: one.partnerId, name: 'Ada Lovelace', referralCode: expect.any(String) },
        }),
        user: { id: one.userId, email: one.user.email, name: 'Ada Lovelace' },
        ...{ amount: 40, currency: 'USD', method: { type: 'CARD', maskedDetails: '•••• 4242' } },
        ...{ status: 'PENDING', rejectionReason: null, fundsReturned: null, externalReference: null },
        ...{
          provider: null,
          needsTransfer: false,
          bankFileTransfer: null,
          lastRefusal: null,
          decidedBy: null,
          endedAt: null,
        },
        ...{ approvedBy: null, approvedAt: null, processedBy: null, processedAt: null, completedAt: null },
        createdAt: expect.any(String),
      },
    ]);
    expect(body.data.summary).toEqual({
      pendingCount: 1,
      pendingAmount: 40,
      processingCount: 0,
      processingAmount: 0,
    });
    const idsOf = async (query: string) =>
      ((await desk.get(query)).body.data[name] as { id: string }[]).map((row) => row.id);
    expect(await idsOf('?status=PENDING&pageSize=1')).toEqual([id]);
    expect(await idsOf(`?status=APPROVED&userId=${one.userId}`)).toEqual([]);
    expect(await idsOf(`?userId=${one.userId}&minAmount=40.01`)).toEqual([]);
    expect(await idsOf(`?userId=${one.userId}&minAmount=40`)).toEqual([id]);
    expect(await idsOf(`?userId=${one.userId}&dateTo=2020-01-01`)).toEqual([]);
    expect(await idsOf(`?userId=${one.userId}&dateFrom=2020-01-01&needsTransfer=false`)).toEqual([id]);
    expect(await idsOf(`?userId=${one.userId}&needsTransfer=true`)).toEqual([]);
    expect(await idsOf(`?partnerId=${one.partnerId || unknown}`)).toEqual(kind === 'PARTNER' ? [id] : []);
    expect(outcomeOf(await desk.get('?status=SENT'))).toBe('400 VALIDATION_ERROR');
    const file = await desk.get(`/export?userId=${one.userId}`);
    expect(file.headers['content-type']).toContain('text/csv');
    expect(file.text.split('\r\n')).toHaveLength(3);
    expect(file.text).toContain(`${id},`);
  });

  test('404 by its own name, 403 FORBIDDEN for users and for an own one, and the other list does not have it', async () => {
    const { one, id, token } = await desk.requested();
    const other = deskOf(() => staff, kind === 'PARTNER' ? 'WALLET' : 'PARTNER');
    const asks = (of: typeof desk, payoutId: string, as?: string) => [
      of.get(`/${payoutId}`, as),
      of.approve(payoutId, {}, as),
      of.reject(payoutId, undefined, as),
      of.process(payoutId, {}, as),
      of.complete(payoutId, undefined, as),
      of.cancel(payoutId, undefined, as),
    ];
    const notFound = { PARTNER: '404 PAYOUT_NOT_FOUND', WALLET: '404 WITHDRAWAL_NOT_FOUND' };
    for (const answer of asks(desk, unknown)) expect(outcomeOf(await answer)).toBe(notFound[kind]);
    for (const answer of asks(other, id))
      expect(outcomeOf(await answer)).toBe(notFound[kind === 'PARTNER' ? 'WALLET' : 'PARTNER']);
    for (const answer of asks(desk, id, token)) expect(outcomeOf(await answer)).toBe('403 FORBIDDEN');
    await execute(staff.world.db, `UPDATE users SET roles = '{USER,ADMIN}' WHERE id = $1`, [one.userId]);
    const mine = await signIn(staff.world, one.user);
    const [show, ...decisions] = asks(desk, id, mine);
    expect(outcomeOf(await show!)).toBe('200');
    for (const answer of decisions) expect(outcomeOf(await answer)).toBe('403 FORBIDDEN');
  });
});
