import { countDebts } from '../../../../../db/investment/provider-payment/provider-debt.transitions';
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

/** The daily sum of debts. */
const count = () =>
  inTransaction(desk.world.db, (tx) => countDebts(tx, new Date(), 1_000_000, '{"USD": 100}'));
const given = async (amount: number): Promise<{ code: string; strategyId: string }> => {
  const provider = await owingProvider(desk);
  expect(outcomeOf(await writeOff(provider.code, { amount, reason: 'It was wound up.' }))).toBe('201');
  return provider;
};
const unrecovered = async (code: string): Promise<number[]> =>
  (await listWriteOffs(code)).data.unrecovered.map(({ amount }: { amount: number }) => amount);

describe('a payment ahead', () => {
  test('is booked with `ahead`, as a credit that the next debts use up', async () => {
    const { code, strategyId } = await owingProvider(desk);
    const body = paying({ amount: 1_250 });
    expect((await enter(code, body)).body.error.reason).toBe('MORE_THAN_OWED');
    const answer = await enter(code, { ...body, ahead: true });
    expect(answer.status).toBe(201);
    expect(answer.body.data).toMatchObject({ amount: 1_250, recovered: 0, credited: 250 });
    expect(answer.body.data).not.toHaveProperty('ahead');
    expect(await booked(code)).toEqual([
      { account: 'clearing_bank', minor: -1_250_00 },
      { account: 'clearing_provider_alpha', minor: 1_250_00 },
    ]);
    expect(await owes(code)).toEqual([-250]);
    expect((await recordsOf(desk, 'provider', code)).at(-1)).toMatchObject({
      previous: { owedMinor: 1_000_00 },
      next: { owedMinor: -250_00, amountMinor: 1_250_00, recoveredMinor: 0, creditedMinor: 250_00 },
    });
    await make.participation(desk.world.db, { strategyId, status: 'MATURED', amountMinor: 400_00 });
    await count();
    expect(await owes(code)).toEqual([150]);
    expect((await enter(code, paying({ amount: 150.01 }))).body.error.details).toEqual({
      amount: ['must be at most 150.00 USD'],
    });
  });

  test('a credit grows only by payments that say `ahead`, also at once', async () => {
    const { code } = await owingProvider(desk);
    await enter(code, paying({ amount: 1_100, ahead: true }));
    const answers = await atOnce(6, (n) => enter(code, paying({ amount: 10, ahead: n % 2 === 0 })));
    expect(answers.map(outcomeOf)).toEqual(
      answers.map((_, n) => (n % 2 === 0 ? '201' : '400 VALIDATION_ERROR')),
    );
    expect(
      answers.filter(({ status }) => status === 201).map(({ body }) => body.data.credited as number),
    ).toEqual([10, 10, 10]);
    expect(await owes(code)).toEqual([-130]);
  });

  test('money that was paid twice goes back as it came, and leaves nothing', async () => {
    const { code } = await owingProvider(desk);
    for (const ahead of [false, true]) await enter(code, paying({ amount: 1_000, ahead }));
    const sent = await enter(code, paying({ amount: 1_000, direction: 'SENT' }));
    expect(sent.body.data).toMatchObject({ recovered: 0, credited: 0 });
    expect(await owes(code)).toEqual([0]);
  });

  test('`ahead` of what is owed all the same is a payment like any', async () => {
    const { code } = await owingProvider(desk);
    const body = paying({ amount: 1_000 });
    const first = await enter(code, { ...body, ahead: true });
    expect(first.body.data).toMatchObject({ recovered: 0, credited: 0 });
    expect((await enter(code, body)).body.data).toEqual(first.body.data);
  });
});

describe('a payment of what was written off', () => {
  test('pays the debt first, then recovers the loss, and needs no `ahead`', async () => {
    const { code } = await given(600);
    const answer = await enter(code, paying({ amount: 500 }));
    expect(answer.body.data).toMatchObject({ amount: 500, recovered: 100, credited: 0 });
    expect((await booked(code)).slice(-3)).toEqual([
      { account: 'clearing_bank', minor: -500_00 },
      { account: 'clearing_provider_alpha', minor: 400_00 },
      { account: 'losses', minor: 100_00 },
    ]);
    expect([await owes(code), await unrecovered(code)]).toEqual([[0], [500]]);
    expect((await recordsOf(desk, 'provider', code)).at(-1)).toMatchObject({
      previous: { owedMinor: 400_00 },
      next: { owedMinor: 0, amountMinor: 500_00, recoveredMinor: 100_00, creditedMinor: 0 },
    });
  });

  test('recovers no more than was written off, also at once', async () => {
    const { code } = await given(1_000);
    expect((await enter(code, paying({ amount: 1_000.01 }))).body.error).toMatchObject({
      ...{ reason: 'MORE_THAN_OWED', details: { amount: ['must be at most 1000.00 USD'] } },
      message: 'This provider owes 0.00 USD, and has not paid 1000.00 USD that was written off.',
    });
    const answers = await atOnce(6, () => enter(code, paying({ amount: 400 })));
    expect(answers.map(outcomeOf).sort()).toEqual([
      ...['201', '201'],
      ...Array<string>(4).fill('400 VALIDATION_ERROR'),
    ]);
    expect([await owes(code), await unrecovered(code)]).toEqual([[0], [200]]);
    const rest = await enter(code, paying({ amount: 230, ahead: true }));
    expect(rest.body.data).toMatchObject({ recovered: 200, credited: 30 });
    expect([await owes(code), await unrecovered(code)]).toEqual([[-30], []]);
  });

  test('a new debt is paid before it', async () => {
    const { code, strategyId } = await given(1_000);
    await make.participation(desk.world.db, { strategyId, status: 'MATURED', amountMinor: 300_00 });
    expect((await enter(code, paying({ amount: 350 }))).body.data).toMatchObject({ recovered: 50 });
    expect(await unrecovered(code)).toEqual([950]);
  });

  test('sent back, it is owed again, and may be written off anew', async () => {
    const { code } = await given(1_000);
    await enter(code, paying({ amount: 400 }));
    await enter(code, paying({ amount: 400, direction: 'SENT' }));
    expect([await owes(code), await unrecovered(code)]).toEqual([[400], [600]]);
    expect(outcomeOf(await writeOff(code, { amount: 400, reason: 'As before.' }))).toBe('201');
    expect([await owes(code), await unrecovered(code)]).toEqual([[0], [1_000]]);
  });
});
