import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import type { Response } from 'supertest';
import { cancelUnpaidParticipation } from '../../../../activities/investment/participation/cancel-unpaid-participation';
import { lockParticipation } from '../../../../db/investment/participation/participation.transitions';
import { execute, firstRow } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import {
  investor,
  walletMinor,
  type InvestmentOptions,
  type Investor,
} from '../../../support/builders/investing/investors';
import { make } from '../../../support/builders/make';
import { orderSteps, storedReport } from '../../../support/builders/ordering';
import { violations } from '../../../support/checks/violations';
import { startWorld, type World } from '../../../support/worlds/world';

let world: World;
/** The investors whose requests find the database away. */
const away = new Set<string>();
/** The investors whose requests have waited for the database beyond their time. */
const late = new Set<string>();
/** A request as it stands after eleven more minutes. */
const afterElevenMinutes = <Command extends { notAfter?: string }>(command: Command): Command => ({
  ...command,
  notAfter: new Date(Date.parse(command.notAfter!) - 11 * 60_000).toISOString(),
});
beforeAll(async () => {
  world = await startWorld({
    queues: ['interactive'],
    fakes: (real) => ({
      openParticipation(command) {
        if (late.has(command.userId)) return real.openParticipation(afterElevenMinutes(command));
        if (!away.has(command.userId)) return real.openParticipation(command);
        throw ApplicationFailure.create({ message: 'the database is away', nextRetryDelay: '500ms' });
      },
      requestWithdrawal: (request) =>
        real.requestWithdrawal(late.has(request.userId) ? afterElevenMinutes(request) : request),
    }),
  });
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});

const reservedOf = (strategyId: string) =>
  firstRow(
    world.db,
    'SELECT reserved_minor, active_participations, total_participants FROM investment_strategies WHERE id = $1',
    [strategyId],
  );

/** Invests, and repeats it under its key as long as the platform is too busy to answer. */
async function patiently(one: Investor, strategyId: string, asked: InvestmentOptions): Promise<Response> {
  const key = randomUUID();
  for (;;) {
    const answer = await one.invest(strategyId, asked, key);
    if (![409, 503].includes(answer.status)) return answer;
  }
}

test('200 investors for the last 50,000 of capacity: exactly what fits is taken', async () => {
  const { id } = await make.strategy(world.db, { totalCapacityMinor: 50_000_00, minMinor: 1_00 });
  // Of 700, 71 fit; what is left, 300, then fits once.
  const investors = await Promise.all(
    Array.from({ length: 200 }, () => investor(world, { walletMinor: 700_00 })),
  );
  const answers = await Promise.all(investors.map((one) => patiently(one, id, { amount: 700 })));
  const outcomes = answers.map(({ status, body }) => `${status} ${body.error?.code ?? ''}`.trim());
  expect(outcomes.filter((outcome) => outcome === '201')).toHaveLength(71);
  expect(outcomes.filter((outcome) => outcome === '400 STRATEGY_CAPACITY_REACHED')).toHaveLength(129);
  expect(await reservedOf(id)).toEqual({
    ...{ reservedMinor: 71 * 700_00, activeParticipations: 71, totalParticipants: 71 },
  });
  const unlucky = investors.filter((_, i) => outcomes[i] !== '201');
  const rest = await Promise.all(unlucky.slice(0, 10).map((one) => one.invest(id, { amount: 300 })));
  expect(rest.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(await reservedOf(id)).toMatchObject({ reservedMinor: 50_000_00 });
});

test('2 × 60,000 at once for a user of level STANDARD: one', async () => {
  const { id } = await make.strategy(world.db, { maxMinor: null });
  const ada = await investor(world, { walletMinor: 200_000_00 });
  const answers = await Promise.all([ada.invest(id, { amount: 60_000 }), ada.invest(id, { amount: 60_000 })]);
  const outcomes = answers.map(({ status, body }) => `${status} ${body.error?.code ?? ''}`.trim()).sort();
  expect(outcomes).toEqual(['201', '403 KYC_REQUIRED']);
  expect(await walletMinor(world.db, ada.id)).toBe(140_000_00);
  expect((await ada.invest(id, { amount: 40_000 })).status).toBe(201);
  const over = await ada.invest(id, { amount: 100 });
  expect([over.status, over.body.error.code]).toEqual([403, 'KYC_REQUIRED']);
});

test('one wallet for two investments: one of them', async () => {
  const { id } = await make.strategy(world.db);
  const ada = await investor(world, { walletMinor: 1_500_00 });
  const answers = await Promise.all([ada.invest(id), ada.invest(id)]);
  const outcomes = answers.map(({ status, body }) => `${status} ${body.error?.code ?? ''}`.trim()).sort();
  expect(outcomes).toEqual(['201', '400 INSUFFICIENT_BALANCE']);
  expect(await reservedOf(id)).toMatchObject({ reservedMinor: 1_000_00 });
});

test('the same Idempotency-Key is one investment: at once, and again later with the same answer', async () => {
  const { id } = await make.strategy(world.db);
  const ada = await investor(world);
  const key = randomUUID();
  const twins = await Promise.all([ada.invest(id, {}, key), ada.invest(id, {}, key)]);
  const outcomes = twins.map(({ status, body }) => `${status} ${body.error?.code ?? ''}`.trim()).sort();
  expect([
    ['201', '201'],
    ['201', '409 IDEMPOTENCY_IN_PROGRESS'],
  ]).toContainEqual(outcomes);
  const first = twins.find(({ status }) => status === 201)!;
  const again = await ada.invest(id, {}, key);
  expect([again.status, again.body.data]).toEqual([201, first.body.data]);
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect((await ada.invest(id, { amount: 2_000 }, key)).status).toBe(422);
  expect(await walletMinor(world.db, ada.id)).toBe(49_000_00);
});

test('503 while the database is away; the repetition invests once', async () => {
  const { id } = await make.strategy(world.db);
  const ada = await investor(world);
  const key = randomUUID();
  away.add(ada.id);
  const lost = await ada.invest(id, {}, key);
  expect([lost.status, lost.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(await walletMinor(world.db, ada.id)).toBe(50_000_00);
  away.delete(ada.id);
  const again = await ada.invest(id, {}, key);
  expect(again.status).toBe(201);
  expect(await walletMinor(world.db, ada.id)).toBe(49_000_00);
});

test.each(['BALANCE', 'CARD'] as const)(
  'by %s: ten minutes later nothing is invested any more; the same key then invests anew',
  async (paymentMethod) => {
    const { id } = await make.strategy(world.db);
    const ada = await investor(world);
    const key = randomUUID();
    late.add(ada.id);
    const lost = await ada.invest(id, { paymentMethod }, key);
    expect([lost.status, lost.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(await walletMinor(world.db, ada.id)).toBe(50_000_00);
    expect(await reservedOf(id)).toMatchObject({ reservedMinor: 0, totalParticipants: 0 });
    late.delete(ada.id);
    expect((await ada.invest(id, { paymentMethod }, key)).status).toBe(201);
    expect(await reservedOf(id)).toMatchObject({ reservedMinor: 1_000_00 });
  },
);

test('ten minutes later no participation is withdrawn any more; the same key then withdraws it', async () => {
  const { id } = await make.strategy(world.db, { lockDays: 0 });
  const ada = await investor(world);
  const { participationId } = (await ada.invest(id)).body.data as { participationId: string };
  const key = randomUUID();
  const withdraw = () =>
    world.http
      .post(`/api/v1/investment/participations/${participationId}/withdraw`)
      .auth(ada.token, { type: 'bearer' })
      .set('idempotency-key', key)
      .send({ withdrawalMethod: 'BALANCE' });
  late.add(ada.id);
  const lost = await withdraw();
  expect([lost.status, lost.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(await walletMinor(world.db, ada.id)).toBe(49_000_00);
  late.delete(ada.id);
  expect((await withdraw()).status).toBe(200);
  expect(await walletMinor(world.db, ada.id)).toBe(50_000_00);
});

test('a repetition whose first answer was lost tells what became of it since', async () => {
  const { id } = await make.strategy(world.db);
  const ada = await investor(world);
  const becomes = { PAID: 'ACTIVE', EXPIRED: 'CANCELLED' } as const;
  for (const outcome of ['PAID', 'EXPIRED'] as const) {
    const key = randomUUID();
    const first = await ada.invest(id, { paymentMethod: 'CARD' }, key);
    expect(first.body.data).toMatchObject({ status: 'PENDING_PAYMENT', payment: { method: 'CARD' } });
    const lost = `UPDATE idempotency_keys SET state = 'OPEN', status = NULL, body = NULL WHERE key = $1`;
    await execute(world.db, lost, [key]);
    const waiting = await ada.invest(id, { paymentMethod: 'CARD' }, key);
    expect(waiting.body.data).toEqual(first.body.data);
    const attempt = await firstRow<{ id: string }>(
      world.db,
      'SELECT id FROM payment_attempts WHERE participation_id = $1',
      [first.body.data.participationId],
    );
    const report = { attemptId: attempt!.id, amountMinor: 1_000_00 };
    const { webhookEventId } = await storedReport(world.db, outcome, report);
    await orderSteps(world.db).applyPaymentEvent({ webhookEventId, at: new Date().toISOString() });
    await execute(world.db, lost, [key]);
    const again = await ada.invest(id, { paymentMethod: 'CARD' }, key);
    expect([again.status, again.body.data]).toEqual([
      201,
      { ...first.body.data, status: becomes[outcome], payment: null },
    ]);
  }
});

test('three may wait for their payment, also when five are asked for at once; the next one waits for one of them', async () => {
  const { id } = await make.strategy(world.db);
  const ada = await investor(world);
  const transfer = () => patiently(ada, id, { paymentMethod: 'BANK_TRANSFER' });
  const answers = await Promise.all(Array.from({ length: 5 }, transfer));
  expect(answers.map(({ body }) => body.error?.reason ?? body.data.status).sort()).toEqual([
    ...Array<string>(3).fill('PENDING_PAYMENT'),
    ...Array<string>(2).fill('TOO_MANY_UNPAID_INVESTMENTS'),
  ]);
  expect(await reservedOf(id)).toMatchObject({ reservedMinor: 3_000_00 });
  expect((await patiently(ada, id, {})).body.data.status).toBe('ACTIVE');
  const open = answers.find(({ status }) => status === 201)!;
  await inTransaction(world.db, async (tx) => {
    const participation = await lockParticipation(tx, open.body.data.participationId as string);
    await cancelUnpaidParticipation(tx, participation!, { at: new Date().toISOString() });
  });
  expect((await transfer()).status).toBe(201);
});
