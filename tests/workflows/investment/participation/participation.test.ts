import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { v7 } from 'uuid';
import { firstRow } from '../../../../db/sql/query';
import {
  bankTransferProcess,
  transferOutcome,
} from '../../../../workflows/commerce/payment-event/bank-transfer.contract';
import { refusalIn } from '../../../../workflows/errors';
import { participationProcess } from '../../../../workflows/investment/participation/participation.contract';
import {
  requestWithdrawal,
  withdrawalProcess,
} from '../../../../workflows/investment/withdrawal/withdrawal.contract';
import { abandonStep, retryStep } from '../../../../workflows/kit/parking.contract';
import { kycReviewProcess } from '../../../../workflows/kyc/review/kyc-review.contract';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { participationState, walletMinor } from '../../../support/builders/investing/investors';
import { begunVerification, verificationState } from '../../../support/builders/kyc/verifying';
import { make } from '../../../support/builders/make';
import { noteOf } from '../../../support/builders/ordering';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { violations } from '../../../support/checks/violations';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { parks } from '../../commerce/refund/refund-processes';
import { patient } from '../../commerce/sales';
import { submits } from '../../kyc/review/review-processes';
import { earns, holds, person, processOf, successorOf, type Held } from './participations';

let world: SkippingWorld;
/** Run before each maturity. */
let beforeMaturity: () => Promise<void>;
beforeAll(async () => {
  world = await startSkippingWorld({
    queues: ['interactive', ...PROVIDER_QUEUES],
    fakes: (real) => ({
      async matureParticipation(participation) {
        await beforeMaturity();
        return real.matureParticipation(participation);
      },
    }),
  });
});
beforeEach(() => {
  beforeMaturity = () => Promise.resolve();
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});

const DAY_MS = 86_400_000;

const stateOf = (participationId: string) => participationState(world.db, participationId);
const becomes = (participationId: string, status: string): Promise<void> =>
  eventually(async () => expect(await stateOf(participationId)).toMatchObject({ status }));
const reservedOf = async (strategyId: string): Promise<number> =>
  (await firstRow<{ n: number }>(
    world.db,
    'SELECT reserved_minor AS n FROM investment_strategies WHERE id = $1',
    [strategyId],
  ))!.n;
const ends = (process: WorkflowHandle, result: string): Promise<void> =>
  eventually(async () => expect(await process.result()).toBe(result));
const sleepUntil = async (moment: string): Promise<void> =>
  world.sleep(Date.parse(moment) - (await world.now()).getTime() + 1_000);

/** An administrator enters the bank transfer for a participation. */
async function transfers({ participationId, userId, opened }: Held): Promise<void> {
  const staff = await make.admin(world.db);
  const transfer = {
    ...{ captureId: v7(), participationId, userId, amountMinor: opened.payment!.amountMinor },
    ...{ transactionId: `bank-${v7()}`, onMismatch: 'REFUSE' as const },
    noteId: await noteOf(world.db, staff.id, null),
  };
  const how = { updateId: v7() };
  await world.processes.open(bankTransferProcess, transfer, transferOutcome, null, how);
}

test('a large amount that is refused for want of the level puts the open verification first; nothing else is left', async () => {
  const { id: strategyId } = await make.strategy(world.db, { maxMinor: null });
  const one = await begunVerification(world.db);
  await submits(world, one);
  const before = await firstRow<{ dueAt: Date }>(
    world.db,
    'SELECT due_at FROM kyc_verifications WHERE id = $1',
    [one.kycId],
  );
  const refused = (amountMinor: number) =>
    holds(world, { strategyId, userId: one.userId, amountMinor }).catch(
      (error: unknown) => refusalIn(error)?.code,
    );
  expect(await refused(50_000_00)).toBe('KYC_REQUIRED');
  expect(await verificationState(world.db, one.kycId)).toMatchObject({ priority: 'NORMAL' });
  const participationId = v7();
  const large = holds(world, { strategyId, userId: one.userId, amountMinor: 50_000_01, participationId });
  expect(refusalIn(await large.catch((error: unknown) => error))?.code).toBe('KYC_REQUIRED');
  await ends(processOf(world, participationId), 'REFUSED');
  await keepHistory(processOf(world, participationId), 'refused-urged');
  const urged = await firstRow<{ priority: string; dueAt: Date }>(
    world.db,
    'SELECT priority, due_at FROM kyc_verifications WHERE id = $1',
    [one.kycId],
  );
  expect(urged!.priority).toBe('HIGH');
  expect(urged!.dueAt.getTime()).toBeLessThan(before!.dueAt.getTime());
  const review = patient(world).workflow.getHandle(kycReviewProcess.id(one));
  await eventually(async () => {
    const { currentDetails } = await review.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    expect(currentDetails).toContain(urged!.dueAt.toISOString());
  });
  await keepHistory(review, 'urged');
  expect(await refused(90_000_00)).toBe('KYC_REQUIRED');
  expect((await verificationState(world.db, one.kycId)).history).toEqual(['SUBMITTED', 'ESCALATED']);
  expect(
    await firstRow(world.db, 'SELECT 1 FROM participations WHERE user_id = $1', [one.userId]),
  ).toBeNull();
  expect(await reservedOf(strategyId)).toBe(0);
});

test('a participation of four years runs over a 29 February, a month at a time, and ends on the second', async () => {
  const { id: strategyId } = await make.strategy(world.db, { days: { min: 30, max: 3_650 } });
  const held = await holds(world, { strategyId, durationDays: 1_461, amountMinor: 10_000_00 });
  const start = Date.parse(held.opened.createdAt);
  expect(held.opened.standing.maturesAt).toBe(new Date(start + 1_461 * DAY_MS).toISOString());
  await earns(world.db, held.participationId, 3_200_55, await world.now());
  await world.sleep('365 days');
  expect(await stateOf(held.participationId)).toMatchObject({ status: 'ACTIVE' });
  const { historyLength, runId } = await held.process.describe();
  expect(historyLength).toBeLessThan(50);
  await sleepUntil(new Date(start + 1_461 * DAY_MS - 60_000).toISOString());
  expect(await stateOf(held.participationId)).toMatchObject({ status: 'ACTIVE' });
  await world.sleep('2 minutes');
  await becomes(held.participationId, 'MATURED');
  await ends(held.process, 'MATURED');
  expect(await stateOf(held.participationId)).toMatchObject({
    transactions: ['DEPOSIT 1000000', 'PROFIT 320055', 'WITHDRAWAL 1320055'],
    mails: ['started', 'matured'],
    events: ['investment.created', 'profit.distributed'],
  });
  expect(await walletMinor(world.db, held.userId)).toBe(50_000_00 + 3_200_55);
  expect(await reservedOf(strategyId)).toBe(0);
  await keepHistory(held.process, 'matured');
  await keepHistory(held.process, 'continued-as-new', runId);
});

test('a loss beyond the principal leaves nothing, and never takes from the wallet', async () => {
  const { id: strategyId } = await make.strategy(world.db);
  const held = await holds(world, { strategyId, autoReinvest: true });
  await earns(world.db, held.participationId, -1_500_00, await world.now());
  await sleepUntil(held.opened.maturityDate);
  await becomes(held.participationId, 'MATURED');
  expect(await stateOf(held.participationId)).toMatchObject({
    transactions: ['DEPOSIT 100000', 'PROFIT -150000'],
  });
  expect(await walletMinor(world.db, held.userId)).toBe(49_000_00);
  expect(await successorOf(world.db, held.participationId)).toBeNull();
});

test('one that nobody pays is cancelled when its window is over, and its capacity is free again', async () => {
  const { id: strategyId } = await make.strategy(world.db, { totalCapacityMinor: 1_000_00 });
  const held = await holds(world, { strategyId, paymentMethod: 'CARD' });
  expect(held.opened.payment?.paymentUrl).toMatch(/^http/);
  expect(await reservedOf(strategyId)).toBe(1_000_00);
  await world.sleep('31 minutes');
  await ends(held.process, 'CANCELLED');
  expect(await stateOf(held.participationId)).toMatchObject({
    ...{ status: 'CANCELLED', paymentStatus: 'FAILED', transactions: [], ledger: [] },
    mails: ['unpaid'],
    events: [],
  });
  expect(await reservedOf(strategyId)).toBe(0);
  await keepHistory(held.process, 'unpaid');
});

test('a transfer that arrives on the third day starts it; the mail that asks for it is withdrawn', async () => {
  const { id: strategyId } = await make.strategy(world.db);
  const held = await holds(world, { strategyId, paymentMethod: 'BANK_TRANSFER' });
  expect(held.opened.payment?.bankDetails?.purpose).toBe(held.opened.number);
  expect(await stateOf(held.participationId)).toMatchObject({ mails: ['transfer'] });
  await world.sleep('71 hours');
  await transfers(held);
  await world.sleep('2 hours');
  await keepHistory(held.process, 'told-of-its-payment');
  expect(await stateOf(held.participationId)).toMatchObject({
    ...{ status: 'ACTIVE', paymentStatus: 'PAID', transactions: ['DEPOSIT 100000'], mails: ['started'] },
  });
  await world.sleep('91 days');
  await ends(held.process, 'MATURED');
  await keepHistory(held.process, 'paid-by-transfer');
});

test('one that another process has withdrawn ends', async () => {
  const { id: strategyId } = await make.strategy(world.db);
  const held = await holds(world, { strategyId });
  await world.processes.open(
    withdrawalProcess,
    { withdrawalId: v7(), participationId: held.participationId, userId: held.userId },
    requestWithdrawal,
    { method: 'BALANCE', acceptPenalty: true, detailsNoteId: null },
    { updateId: v7() },
  );
  await ends(held.process, 'WITHDRAWN');
  expect(await stateOf(held.participationId)).toMatchObject({
    transactions: ['DEPOSIT 100000', 'WITHDRAWAL 90000', 'PENALTY 10000'],
  });
  await keepHistory(held.process, 'withdrawn');
});

test.each([
  [
    'paid from the balance runs at once',
    async (userId: string) => {
      const { id: strategyId } = await make.strategy(world.db, { maxMinor: null });
      const { opened } = await holds(world, { strategyId, userId, amountMinor: 60_000_00 });
      expect(opened.standing.status).toBe('ACTIVE');
    },
  ],
  [
    'was reported by its provider',
    async (userId: string) => {
      const made = await make.participation(world.db, {
        ...{ userId, status: 'ACTIVE', at: await world.now(), durationDays: 40, amountMinor: 60_000_00 },
      });
      const input = { participationId: made.id, userId, exists: true } as const;
      await world.processes.start(participationProcess, input);
    },
  ],
])('a large one that %s puts the open verification first, and its process hears of it', async (_, invest) => {
  const id = await person(world.db, 60_000_00);
  const one = await begunVerification(world.db, {
    user: { id, email: 'not.asked@example.com' },
    info: { documentExpiryDate: '2099-12-31' },
  });
  await submits(world, one);
  await invest(id);
  await eventually(async () =>
    expect(await verificationState(world.db, one.kycId)).toMatchObject({
      ...{ priority: 'HIGH', history: ['SUBMITTED', 'ESCALATED'] },
    }),
  );
  const { dueAt } = await verificationState(world.db, one.kycId);
  const review = patient(world).workflow.getHandle(kycReviewProcess.id(one));
  await eventually(async () => {
    const { currentDetails } = await review.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    expect(currentDetails).toContain(dueAt!.toISOString());
  });
});

test('one that is there before its process is read at once, and followed', async () => {
  const made = await make.participation(world.db, {
    status: 'ACTIVE',
    at: await world.now(),
    durationDays: 40,
  });
  const input = { participationId: made.id, userId: made.userId, exists: true } as const;
  await world.processes.start(participationProcess, input);
  const process = processOf(world, made.id);
  await world.sleep('1 minute');
  expect((await process.describe()).status.name).toBe('RUNNING');
  await world.sleep('41 days');
  await ends(process, 'MATURED');
  expect(await walletMinor(world.db, made.userId)).toBe(made.amountMinor);
  await keepHistory(process, 'made-elsewhere');
});

test('a maturity that fails waits for an operator: retried, it is paid once; abandoned, the row stays', async () => {
  const { id: strategyId } = await make.strategy(world.db);
  const [one, other] = [await holds(world, { strategyId }), await holds(world, { strategyId })];
  beforeMaturity = () => Promise.reject(ApplicationFailure.nonRetryable('The ledger is away.'));
  await sleepUntil(other.opened.maturityDate);
  await world.sleep('1 hour');
  await Promise.all([parks(one.process), parks(other.process)]);
  beforeMaturity = () => Promise.resolve();
  await one.process.executeUpdate(retryStep, { args: [{ noteId: null }] });
  await ends(one.process, 'MATURED');
  await keepHistory(one.process, 'parked-retried');
  await other.process.executeUpdate(abandonStep, { args: [{ noteId: null }] });
  await ends(other.process, 'ABANDONED');
  await keepHistory(other.process, 'abandoned');
  expect(await stateOf(other.participationId)).toMatchObject({
    status: 'ACTIVE',
    transactions: ['DEPOSIT 100000'],
  });
  await world.processes.start(participationProcess, {
    ...other,
    exists: true,
    opened: undefined,
    process: undefined,
  } as never);
  await ends(other.process, 'MATURED');
});
