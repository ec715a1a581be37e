import { randomUUID } from 'node:crypto';
import { investmentFigures } from '../../../../../db/administration/operations/investment-figures.reads';
import { internalProvider } from '../../../../../db/investment/provider/provider.writes';
import { execute } from '../../../../../db/sql/query';
import { inTransaction } from '../../../../../db/sql/transaction';
import { make } from '../../../../support/builders/make';
import { violations } from '../../../../support/checks/violations';
import { atOnce } from '../../../../support/requests/at-once';
import { outcomeOf, startAdminWorld, type AdminWorld } from '../../admin-world';
import { recordsOf } from '../../records';
import { debtDesk, owingProvider, paying } from '../owing';

let desk: AdminWorld;
let { enter, writeOff, listWriteOffs, owes, booked } = {} as ReturnType<typeof debtDesk>;
beforeAll(async () => {
  desk = await startAdminWorld({ variables: { RATE_LIMIT_SCALE: '100' } });
  ({ enter, writeOff, listWriteOffs, owes, booked } = debtDesk(desk));
});
afterAll(async () => {
  expect(await violations(desk.world.db)).toEqual([]);
  await desk.world.teardown();
});

const owing = async (): Promise<string> => (await owingProvider(desk)).code;
const giving = (body: object = {}) => ({ amount: 400, reason: 'The company was wound up.', ...body });

describe('POST /admin/providers/:code/write-offs', () => {
  test('201: it is booked as a loss, and the provider owes less at once', async () => {
    const code = await owing();
    const answer = await writeOff(code, giving({ amount: 400.5, reason: ' It was wound up. ' }));
    expect(answer.status).toBe(201);
    expect(answer.body.data).toEqual({
      ...{ id: expect.any(String), providerCode: code, amount: 400.5, currency: 'USD' },
      ...{ reason: 'It was wound up.', decidedBy: desk.superAdmin.id, createdAt: expect.any(String) },
    });
    expect(await booked(code)).toEqual([
      { account: 'losses', minor: -400_50 },
      { account: 'clearing_provider_alpha', minor: 400_50 },
    ]);
    expect(await owes(code)).toEqual([599.5]);
    expect(await recordsOf(desk, 'provider', code)).toEqual([
      {
        ...{ actorId: desk.superAdmin.id, action: 'provider.write-off' },
        previous: { owedMinor: 1_000_00, currency: 'USD' },
        next: { owedMinor: 599_50, amountMinor: 400_50, currency: 'USD', reason: 'It was wound up.' },
      },
    ]);
  });

  test('the alert ends with it', async () => {
    const code = await owing();
    const { db } = desk.world;
    const of = async () =>
      (await inTransaction(db, investmentFigures)).debts.find(({ provider }) => provider === code);
    await execute(
      db,
      `INSERT INTO investment_provider_debts (provider_code, currency, owed_minor, counted_at, beyond_since)
      VALUES ($1, 'USD', 100000, now() - interval '1 day', now() - interval '1 day')`,
      [code],
    );
    expect((await of())!.beyondSeconds).toBeGreaterThan(80_000);
    await writeOff(code, giving({ amount: 1_000 }));
    expect(await of()).toMatchObject({ owedMinor: 0, beyondSeconds: 0 });
  });

  test('MORE_THAN_OWED: what runs there is not owed, and what was paid is not any more', async () => {
    const code = await owing();
    await enter(code, paying({ amount: 300 }));
    const { status, body } = await writeOff(code, giving({ amount: 700.01 }));
    expect([status, body.error]).toEqual([
      400,
      expect.objectContaining({
        ...{ code: 'VALIDATION_ERROR', reason: 'MORE_THAN_OWED', message: 'This provider owes 700.00 USD.' },
        details: { amount: ['must be at most 700.00 USD'] },
      }),
    ]);
    expect(outcomeOf(await writeOff(code, giving({ amount: 700 })))).toBe('201');
    expect((await writeOff(code, giving({ amount: 0.01 }))).body.error.reason).toBe('MORE_THAN_OWED');
  });

  test('MORE_THAN_OWED: of one that has paid ahead, one that never had money, and the platform itself', async () => {
    const { db } = desk.world;
    const ahead = await owing();
    await enter(ahead, paying({ amount: 1_100, ahead: true }));
    const { code: idle } = await make.provider(db);
    const internal = await inTransaction(db, (tx) => internalProvider(tx, new Date()));
    for (const code of [ahead, idle, internal])
      expect((await writeOff(code, giving())).body.error).toMatchObject({
        ...{ reason: 'MORE_THAN_OWED', details: { amount: ['must be at most 0.00 USD'] } },
      });
  });

  test('of write-offs and payments at once no more is written off than is owed, and none is paid that is not due', async () => {
    const code = await owing();
    const answers = await atOnce(8, (n) =>
      n % 2 === 0 ? writeOff(code, giving({ amount: 450 })) : enter(code, paying({ amount: 450 })),
    );
    const done = (rest: number): number =>
      answers.filter(({ status }, n) => status === 201 && n % 2 === rest).length;
    // A payment pays the debt, or recovers what was written off just before.
    expect([done(0) <= 2, done(1)]).toEqual([true, 2]);
    const [owed = 0] = await owes(code);
    const { unrecovered } = (await listWriteOffs(code)).data as { unrecovered: { amount: number }[] };
    expect(owed).toBeGreaterThanOrEqual(0);
    expect(owed + (unrecovered[0]?.amount ?? 0)).toBe(100);
  });

  test('under one Idempotency-Key it is written off once, also at once', async () => {
    const code = await owing();
    const key = randomUUID();
    const send = () =>
      desk.world.http
        .post(`/api/v1/admin/providers/${code}/write-offs`)
        .auth(desk.tokens.superAdmin, { type: 'bearer' })
        .set('idempotency-key', key)
        .send(giving());
    const answers = await atOnce(5, send);
    const outcomes = new Set(answers.map(outcomeOf));
    expect(outcomes.delete('201')).toBe(true);
    expect([...outcomes].filter((outcome) => outcome !== '409 IDEMPOTENCY_IN_PROGRESS')).toEqual([]);
    const again = await send();
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
    expect(await owes(code)).toEqual([600]);
    expect((await listWriteOffs(code)).meta.pagination.total).toBe(1);
  });

  test('PROVIDER_NOT_FOUND', async () => {
    expect(outcomeOf(await writeOff('nobody', giving()))).toBe('404 PROVIDER_NOT_FOUND');
    expect(outcomeOf(await desk.ask('get', '/admin/providers/nobody/write-offs'))).toBe(
      '404 PROVIDER_NOT_FOUND',
    );
  });

  test.each<[string, unknown]>([
    ['amount', 0],
    ['amount', -5],
    ['amount', 0.001],
    ['amount', 1_000_000_000.01],
    ['amount', '400'],
    ['currency', 'EUR'],
    ['reason', undefined],
    ['reason', ' a '],
    ['reason', 'x'.repeat(501)],
  ])('VALIDATION_ERROR names %s: %p', async (field, value) => {
    const code = await owing();
    const answer = await writeOff(code, giving({ [field]: value }));
    expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
    expect(Object.keys(answer.body.error.details as object)).toEqual([field]);
    expect(await booked(code)).toEqual([]);
  });

  test.each(['investment_provider_write_offs', 'ledger_transfers', 'ledger_entries', 'audit_records'])(
    'killed before its line in %s is written it leaves nothing, and can be written off again',
    async (table) => {
      const code = await owing();
      const { owner } = desk.world;
      await execute(
        owner,
        `CREATE FUNCTION lose_it() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''It is gone.''; END'`,
      );
      await execute(owner, `CREATE TRIGGER lose_it BEFORE INSERT ON ${table} EXECUTE FUNCTION lose_it()`);
      const failed = await writeOff(code, giving());
      await execute(owner, 'DROP FUNCTION lose_it() CASCADE');
      expect(failed.status).toBe(500);
      expect([await booked(code), (await listWriteOffs(code)).data.writeOffs]).toEqual([[], []]);
      expect(outcomeOf(await writeOff(code, giving()))).toBe('201');
      expect(await owes(code)).toEqual([600]);
    },
  );
});

describe('GET /admin/providers/:code/write-offs', () => {
  test('lists them newest first, page by page, of this provider only, with what is not recovered', async () => {
    const code = await owing();
    await writeOff(await owing(), giving());
    for (const amount of [1, 2, 3]) await writeOff(code, giving({ amount }));
    const { data, meta } = await listWriteOffs(code, '?pageSize=2');
    expect(data.writeOffs.map(({ amount }: { amount: number }) => amount)).toEqual([3, 2]);
    expect(data.unrecovered).toEqual([{ currency: 'USD', amount: 6 }]);
    expect(meta.pagination).toMatchObject({ total: 3, totalPages: 2 });
    const second = await listWriteOffs(code, '?pageSize=2&page=2');
    expect(second.data.writeOffs).toMatchObject([{ amount: 1, reason: 'The company was wound up.' }]);
    expect((await listWriteOffs((await make.provider(desk.world.db)).code)).data).toEqual({
      ...{ writeOffs: [], unrecovered: [] },
    });
  });

  test('administrators read them, and only a SUPER_ADMIN decides', async () => {
    const code = await owing();
    const { user, admin } = desk.tokens;
    for (const token of [user, admin])
      expect(outcomeOf(await writeOff(code, giving(), token))).toBe('403 FORBIDDEN');
    expect(outcomeOf(await writeOff(code, giving(), null))).toBe('401 UNAUTHORIZED');
    const path = `/admin/providers/${code}/write-offs`;
    expect(outcomeOf(await desk.ask('get', path))).toBe('200');
    expect(outcomeOf(await desk.ask('get', path, undefined, user))).toBe('403 FORBIDDEN');
    expect(outcomeOf(await desk.ask('get', path, undefined, null))).toBe('401 UNAUTHORIZED');
    expect(await owes(code)).toEqual([]);
  });
});
