import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import type { TransferSubject } from '../../../../../db/commerce/bank-file/transfer-subject.reads';
import { wakeProcesses } from '../../../../../api/admin/bank-files/ending/wake-processes';
import type { Context } from '../../../../../api/http/handler-context';
import { rows } from '../../../../../db/sql/query';
import { make } from '../../../../support/builders/make';
import { statusReport } from '../../../../support/builders/payouts/bank-files';
import {
  collectedPayout,
  collectedWithdrawal,
  makesFile,
  transferOf,
} from '../../../../support/builders/payouts/paid-by-file';
import { signIn } from '../../../../support/builders/sign-in';
import { violations } from '../../../../support/checks/violations';
import { outcomeOf, startAdminWorld, type AdminWorld } from '../../admin-world';

let staff: AdminWorld;
beforeAll(async () => {
  staff = await startAdminWorld({
    variables: { PAYOUT_PROVIDER: 'bank-file', POLICY_PAYOUT_FOUR_EYES: '39' },
  });
});
afterAll(async () => {
  expect(await violations(staff.world.db)).toEqual([]);
  await staff.world.teardown();
});

const enter = async (id: string, status: string, token = staff.tokens.admin): Promise<Response> =>
  staff.world.http
    .post(`/api/v1/admin/bank-files/${id}/status-report`)
    .auth(token, { type: 'bearer' })
    .attach('file', statusReport(id, [], { group: status, ...codeOf(status) }), 'report.xml');
/** Without a code a rejection of a whole file is not certain. */
const codeOf = (status: string) => status === 'RJCT' && { reason: 'AC04' };
const REASON = 'The bank has confirmed that it never got the file.';
const withdraw = (id: string, token?: string | null, body: object = { reason: REASON }) =>
  staff.ask('post', `/admin/bank-files/${id}/withdraw`, body, token);
const reasonIn = ({ body }: Response): unknown => (body as { error: { reason: unknown } }).error.reason;

/** An administrator who may be paid, too. */
async function payable(): Promise<{ id: string; token: string }> {
  const one = await make.admin(staff.world.db, { kycLevel: 'STANDARD' });
  return { id: one.id, token: await signIn(staff.world, one) };
}
const payoutOf = (userId: string) => collectedPayout(staff.world.db, { userId });
const withdrawalOf = async (userId: string) =>
  (await collectedWithdrawal(staff.world.db, userId)).withdrawalId;
/** A payout that the administrator who asks has had sent. */
const sentPayout = () => collectedPayout(staff.world.db, { processedBy: staff.admin.id });
const SECOND = 'SECOND_ADMINISTRATOR_REQUIRED';

describe('a report', () => {
  test.each([
    ['payout', payoutOf],
    ['withdrawal', withdrawalOf],
  ])(
    'that ends an own %s is entered by another administrator, and nothing of it is applied',
    async (_, own) => {
      const { id, token } = await payable();
      const [mine, another] = [await own(id), await collectedPayout(staff.world.db)];
      const fileId = await makesFile(staff.world.db);
      for (const status of ['RJCT', 'ACSC'])
        expect(outcomeOf(await enter(fileId, status, token))).toBe('403 FORBIDDEN');
      for (const key of [mine, another]) expect(await transferOf(staff.world.db, key)).toBe('IN_FILE');
      expect(outcomeOf(await enter(fileId, 'ACCP', token))).toBe('200');
      expect((await enter(fileId, 'ACSC', staff.tokens.superAdmin)).body.data.changed).toBe(2);
    },
  );

  test('that refuses a large payout is not entered by who had it sent; one that settles it is', async () => {
    const key = await sentPayout();
    const fileId = await makesFile(staff.world.db);
    const refused = await enter(fileId, 'RJCT');
    expect([outcomeOf(refused), reasonIn(refused)]).toEqual(['403 FORBIDDEN', SECOND]);
    expect(await transferOf(staff.world.db, key)).toBe('IN_FILE');
    expect((await enter(fileId, 'ACSC')).body.data.changed).toBe(1);
  });
});

describe('a collected transfer', () => {
  const refuse = async (key: string, token?: string) => {
    const [row] = await rows<{ id: string }>(
      staff.world.db,
      'SELECT id FROM bank_file_transfers WHERE subject_id = $1',
      [key],
    );
    return staff.ask('post', `/admin/bank-files/collected/${row!.id}/refuse`, { reason: 'Closed.' }, token);
  };

  test('of one’s own, or a large one that one had sent, is refused by another administrator', async () => {
    const { id, token } = await payable();
    for (const [key, by] of [
      [await payoutOf(id), token],
      [await withdrawalOf(id), token],
      [await sentPayout(), staff.tokens.admin],
    ] as const) {
      expect(outcomeOf(await refuse(key, by))).toBe('403 FORBIDDEN');
      expect(await transferOf(staff.world.db, key)).toBe('COLLECTED');
      expect(outcomeOf(await refuse(key, staff.tokens.superAdmin))).toBe('200');
    }
  });
});

describe('POST /admin/bank-files/:id/withdraw', () => {
  test('refuses what the bank has not ended, once; the reason is in the audit log only', async () => {
    const keys = [
      await collectedPayout(staff.world.db),
      (await collectedWithdrawal(staff.world.db)).withdrawalId,
    ];
    const fileId = await makesFile(staff.world.db);
    const { status, body } = await withdraw(fileId);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id: fileId, transfers: 2, refused: 2, underWay: 0 });
    for (const key of keys)
      expect(await transferOf(staff.world.db, key)).toBe(
        'REFUSED The file was withdrawn: the bank does not carry it out.',
      );
    const audited = await rows(
      staff.world.db,
      `SELECT actor_id, previous, next FROM audit_records WHERE entity_id = $1 AND action = 'bank-file.withdraw'`,
      [fileId],
    );
    expect(audited).toEqual([
      { actorId: staff.admin.id, previous: { underWay: 2 }, next: { refused: 2, reason: REASON } },
    ]);
    expect(outcomeOf(await withdraw(fileId))).toBe('409 ALREADY_SETTLED');
  });

  test('is the last of it: the file cannot be saved and handed in while later files send its transfers', async () => {
    await collectedPayout(staff.world.db);
    const fileId = await makesFile(staff.world.db);
    const save = () => staff.ask('get', `/admin/bank-files/${fileId}/file`);
    expect(outcomeOf(await save())).toBe('200');
    await withdraw(fileId);
    expect(outcomeOf(await save())).toBe('409 ALREADY_SETTLED');
  });

  test('leaves what has arrived, and a later settlement of the rest is a contradiction', async () => {
    const [paid, lost] = [await collectedPayout(staff.world.db), await collectedPayout(staff.world.db)];
    const fileId = await makesFile(staff.world.db);
    const transfers = await rows<{ name: string }>(
      staff.world.db,
      `SELECT replace(id::text, '-', '') AS name FROM bank_file_transfers WHERE file_id = $1 AND subject_id = $2`,
      [fileId, paid],
    );
    const said = statusReport(fileId, [{ transfer: transfers[0]!.name, status: 'ACSC' }]);
    await staff.world.http
      .post(`/api/v1/admin/bank-files/${fileId}/status-report`)
      .auth(staff.tokens.admin, { type: 'bearer' })
      .attach('file', said, 'report.xml');
    expect((await withdraw(fileId)).body.data).toMatchObject({ arrived: 1, refused: 1, underWay: 0 });
    expect(await transferOf(staff.world.db, paid)).toBe('ARRIVED');
    const late = await enter(fileId, 'ACSC');
    expect(late.body.data.contradictions).toHaveLength(1);
    expect(await transferOf(staff.world.db, lost)).toMatch(/^REFUSED/);
    const { body } = await staff.ask('get', '/admin/reconciliation/differences?provider=bank-file');
    for (const { id } of body.data.differences as { id: string }[])
      await staff.ask('post', `/admin/reconciliation/differences/${id}/resolve`, { note: 'Paid back.' });
  });

  test('is done by another administrator than the one who made the file, or whom it pays', async () => {
    await collectedPayout(staff.world.db);
    const made = await makesFile(staff.world.db, staff.admin.id);
    const maker = await withdraw(made);
    expect([outcomeOf(maker), reasonIn(maker)]).toEqual(['403 FORBIDDEN', SECOND]);
    expect(outcomeOf(await withdraw(made, staff.tokens.superAdmin))).toBe('200');
    const { id, token } = await payable();
    for (const [own, by] of [
      [() => payoutOf(id), token],
      [() => withdrawalOf(id), token],
      [sentPayout, staff.tokens.admin],
    ] as const) {
      const key = await own();
      const fileId = await makesFile(staff.world.db);
      expect(outcomeOf(await withdraw(fileId, by))).toBe('403 FORBIDDEN');
      expect(await transferOf(staff.world.db, key)).toBe('IN_FILE');
      expect(outcomeOf(await withdraw(fileId, staff.tokens.superAdmin))).toBe('200');
    }
  });

  test('repeated under its key it answers the same; entered at once by two, it is done once', async () => {
    await collectedPayout(staff.world.db);
    const fileId = await makesFile(staff.world.db);
    const key = randomUUID();
    const keyed = () =>
      staff.world.http
        .post(`/api/v1/admin/bank-files/${fileId}/withdraw`)
        .auth(staff.tokens.admin, { type: 'bearer' })
        .set('Idempotency-Key', key)
        .send({ reason: REASON });
    const [first, twin] = await Promise.all([keyed(), withdraw(fileId, staff.tokens.superAdmin)]);
    expect([outcomeOf(first), outcomeOf(twin)].sort()).toEqual(['200', '409 ALREADY_SETTLED']);
    expect((await keyed()).body).toEqual(first.body);
  });

  test('of no file, without a reason, and by others is refused', async () => {
    await collectedPayout(staff.world.db);
    const fileId = await makesFile(staff.world.db);
    expect(outcomeOf(await withdraw(randomUUID()))).toBe('404 BANK_FILE_NOT_FOUND');
    expect(outcomeOf(await withdraw(fileId, staff.tokens.admin, {}))).toBe('400 VALIDATION_ERROR');
    expect(outcomeOf(await withdraw(fileId, staff.tokens.user))).toBe('403 FORBIDDEN');
    expect(outcomeOf(await withdraw(fileId, null))).toBe('401 UNAUTHORIZED');
  });
});

test('a signal that is lost fails nothing, and ends the signals', async () => {
  let signals = 0;
  const warnings: unknown[] = [];
  const context = {
    processes: { startAgain: () => Promise.reject(new Error(`It is away: ${++signals}.`)) },
    log: { warn: (_: unknown, words: string) => warnings.push(words) },
  } as unknown as Pick<Context, 'processes' | 'log'>;
  const subject: TransferSubject = {
    ...{ transferId: '', id: '', kind: 'WALLET', userId: '', participationId: null, amountMinor: 1 },
    ...{ currency: 'EUR', processedBy: null, isAwaited: true },
  };
  await wakeProcesses(context, Array<TransferSubject>(35).fill(subject));
  expect([signals, warnings]).toEqual([10, ['processes were not told that their transfers have ended']]);
  await wakeProcesses(context, [{ ...subject, isAwaited: false }]);
  expect(signals).toBe(10);
});

test('administrators see where a transfer is that a bank file may carry out', async () => {
  const [payoutId, { withdrawalId }] = [
    await collectedPayout(staff.world.db),
    await collectedWithdrawal(staff.world.db),
  ];
  const standing = async (): Promise<unknown[]> => {
    const answers = await Promise.all([
      staff.ask('get', `/admin/wallet-withdrawals/${payoutId}`),
      staff.ask('get', `/admin/withdrawals/${withdrawalId}`),
    ]);
    return answers.map(({ body }) => (body as { data: { bankFileTransfer: unknown } }).data.bankFileTransfer);
  };
  expect(await standing()).toEqual(['COLLECTED', 'COLLECTED']);
  const fileId = await makesFile(staff.world.db);
  expect(await standing()).toEqual(['IN_FILE', 'IN_FILE']);
  await withdraw(fileId);
  expect(await standing()).toEqual([null, null]);
});
