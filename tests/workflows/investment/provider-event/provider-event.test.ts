import { ApplicationFailure } from '@temporalio/common';
import type { WorkflowHandle } from '@temporalio/client';
import { v7 } from 'uuid';
import { execute, firstRow } from '../../../../db/sql/query';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { tryEventAgain } from '../../../../workflows/commerce/webhook/webhook-event.contract';
import {
  providerEventProcess,
  type ProviderEventInput,
} from '../../../../workflows/investment/provider-event/provider-event.contract';
import { abandonStep, retryStep } from '../../../../workflows/kit/parking.contract';
import { reporting, type Report } from '../../../activities/investment/provider-event/reporting';
import { make } from '../../../support/builders/make';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { violations } from '../../../support/checks/violations';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { patient } from '../../commerce/sales';

let world: SkippingWorld;
/** An error before a report is applied, and work after it. */
let before: Error | null;
let afterwards: () => void;

beforeAll(async () => {
  world = await startSkippingWorld({
    queues: ['interactive', 'ingest', ...PROVIDER_QUEUES],
    fakes: (real) => ({
      async applyProviderEvent(event) {
        if (before) throw before;
        const applied = await real.applyProviderEvent(event);
        afterwards();
        return applied;
      },
    }),
  });
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});
beforeEach(() => {
  before = null;
  afterwards = () => undefined;
});

interface Started {
  event: ProviderEventInput;
  process: WorkflowHandle;
}

async function begin() {
  const user = await make.user(world.db, { kycLevel: 'STANDARD' });
  const strategy = await make.strategy(world.db);
  await make.signedIn(world.db, strategy.providerCode, user.id);
  const externalId = v7();
  const { store, row } = reporting(world.db, strategy.providerCode);
  const data = {
    ...{ externalId, userId: user.id, strategyCode: strategy.strategyCode, amount: 1_000, currency: 'USD' },
    ...{ startDate: '2026-06-01', maturityDate: '2126-01-01' },
  };
  /** Stores a report and starts its process. */
  const reported = async (report: Report): Promise<Started> => {
    const id = v7();
    const webhookEventId = await store({ ...report, id });
    const event = { provider: strategy.providerCode, externalEventId: id, webhookEventId };
    await world.processes.start(providerEventProcess, event);
    return { event, process: patient(world).workflow.getHandle(providerEventProcess.id(event)) };
  };
  const created: Report = { type: 'investment.created', data };
  const profit = (): Report => ({
    type: 'profit.distributed',
    data: { externalId: v7(), investmentExternalId: externalId, amount: 5 },
  });
  return { user, strategy, externalId, created, profit, reported, row };
}

const statusOf = async (externalId: string): Promise<string | undefined> =>
  (
    await firstRow<{ status: string }>(world.db, 'SELECT status FROM participations WHERE external_id = $1', [
      externalId,
    ])
  )?.status;

const parks = (process: WorkflowHandle): Promise<void> =>
  eventually(async () => {
    const { currentDetails } = await process.query<{ currentDetails: string }>(
      '__temporal_workflow_metadata',
    );
    expect(currentDetails).toContain('**Needs attention.** Could not apply the report.');
  });

test('a report is applied once, and the investment gets its process', async () => {
  const { reported, created, externalId } = await begin();
  const { event, process } = await reported(created);
  expect(await process.result()).toBe('PROCESSED');
  const id = (
    await firstRow<{ id: string }>(world.db, 'SELECT id FROM participations WHERE external_id = $1', [
      externalId,
    ])
  )?.id;
  const participation = await world.temporal.workflow.getHandle(`participation:${id}`).describe();
  expect(participation.status.name).toBe('RUNNING');
  await keepHistory(process, 'begins');
  // As the sweep does when it was lost that the process had been started.
  expect(await world.processes.start(providerEventProcess, event)).toBe('started');
  expect(await process.result()).toBe('PROCESSED');
  await keepHistory(process, 'again');
});

test('one that is faster than its investment waits, and the report of that wakes it', async () => {
  const { reported, created, profit, row } = await begin();
  const { event, process } = await reported(profit());
  await eventually(async () => expect(await row(event.webhookEventId)).toMatchObject({ status: 'WAITING' }));
  await world.sleep('2 hours');
  const parent = await reported(created);
  expect(await parent.process.result()).toBe('PROCESSED');
  await eventually(async () =>
    expect(await row(event.webhookEventId)).toMatchObject({ status: 'PROCESSED' }),
  );
  expect(await process.result()).toBe('PROCESSED');
  expect((await row(event.webhookEventId))?.waitsFor).toBeNull();
  await keepHistory(process, 'woken');
  await keepHistory(parent.process, 'wakes');
});

test('without that it finds out by itself, within the hour', async () => {
  const { reported, profit, user, strategy, externalId } = await begin();
  const { process } = await reported(profit());
  await world.sleep('5 hours');
  await make.participation(world.db, {
    ...{ userId: user.id, strategyId: strategy.id, externalId, status: 'ACTIVE' },
  });
  await world.sleep('61 minutes');
  expect(await process.result()).toBe('PROCESSED');
  await keepHistory(process, 'waiting');
});

test('one whose investment is never reported is dead after three days, and can be replayed after that', async () => {
  const { reported, profit, created, row, externalId } = await begin();
  const { event, process } = await reported(profit());
  await world.sleep('71 hours');
  expect(await row(event.webhookEventId)).toMatchObject({ status: 'WAITING' });
  await world.sleep('3 hours');
  expect(await process.result()).toBe('DEAD');
  expect(await row(event.webhookEventId)).toMatchObject({
    status: 'DEAD',
    error: `It is about the investment ${externalId}, which its provider has not reported.`,
  });
  await keepHistory(process, 'dead-after-waiting');
  expect(await (await reported(created)).process.result()).toBe('PROCESSED');
  await world.processes.startAgain(providerEventProcess, event, tryEventAgain);
  expect(await process.result()).toBe('PROCESSED');
  expect(await row(event.webhookEventId)).toMatchObject({ status: 'PROCESSED', error: null });
});

test('an investment that is reported seven days late brings back the reports about it, which were dead by then', async () => {
  const { reported, profit, created, row, externalId } = await begin();
  const paidOut = { externalId: v7(), investmentExternalId: externalId, amount: 1_005 };
  const early = [await reported(profit()), await reported({ type: 'investment.withdrawn', data: paidOut })];
  await world.sleep('7 days');
  for (const { event, process } of early) {
    expect(await process.result()).toBe('DEAD');
    expect(await row(event.webhookEventId)).toMatchObject({ status: 'DEAD', waitsFor: externalId });
  }
  expect(await (await reported(created)).process.result()).toBe('PROCESSED');
  for (const { event } of early)
    expect(await row(event.webhookEventId)).toMatchObject({ status: 'PROCESSED', error: null });
  expect(await statusOf(externalId)).toBe('WITHDRAWN');
  const recorded = await firstRow<{ moved: string[] }>(
    world.db,
    `SELECT array_agg(t.type || ' ' || t.amount_minor ORDER BY t.type) AS moved
       FROM investment_transactions t JOIN participations p ON p.id = t.participation_id WHERE p.external_id = $1`,
    [externalId],
  );
  expect(recorded!.moved).toEqual(['DEPOSIT 100000', 'PROFIT 500', 'WITHDRAWAL 100500']);
});

test('one that can never be applied is dead at once', async () => {
  const { reported, created } = await begin();
  const { process } = await reported({ ...created, data: { ...created.data, amount: 0.001 } });
  expect(await process.result()).toBe('DEAD');
  await keepHistory(process, 'dead');
});

test('one beyond the rules of ours is applied, and waits for a person', async () => {
  const { reported, created, strategy, externalId } = await begin();
  await execute(world.db, `UPDATE investment_strategies SET status = 'PAUSED' WHERE id = $1`, [strategy.id]);
  const { event, process } = await reported(created);
  const entry = () =>
    firstRow<{ reason: string }>(world.db, 'SELECT reason FROM parked_processes WHERE workflow_id = $1', [
      providerEventProcess.id(event),
    ]);
  await eventually(async () => {
    expect((await entry())?.reason).toContain(`Its strategy ${strategy.strategyCode} is PAUSED.`);
  });
  expect(await statusOf(externalId)).toBe('ACTIVE');
  await process.executeUpdate(retryStep, { args: [{ noteId: null }] });
  expect(await process.result()).toBe('PROCESSED');
  expect(await entry()).toBeNull();
});

test('a withdrawal ends the process of the investment; after that nobody has to be told', async () => {
  const { reported, created, externalId } = await begin();
  await (await reported(created)).process.result();
  const paid = { externalId: v7(), investmentExternalId: externalId, amount: 1_010 };
  const { event, process } = await reported({ type: 'investment.withdrawn', data: paid });
  expect(await process.result()).toBe('PROCESSED');
  expect(await statusOf(externalId)).toBe('WITHDRAWN');
  const { id } = (await firstRow<{ id: string }>(
    world.db,
    'SELECT id FROM participations WHERE external_id = $1',
    [externalId],
  ))!;
  const participation = patient(world).workflow.getHandle(`participation:${id}`);
  expect(await participation.result()).toBe('WITHDRAWN');
  await keepHistory(process, 'ends');
  await world.processes.start(providerEventProcess, event);
  expect(await process.result()).toBe('PROCESSED');
});

test('a maturity that its provider moves into the past comes at once', async () => {
  const { reported, created, externalId } = await begin();
  await (await reported(created)).process.result();
  const moved = { investmentExternalId: externalId, maturityDate: '2026-06-02' };
  const { process } = await reported({ type: 'investment.updated', data: moved });
  expect(await process.result()).toBe('PROCESSED');
  await eventually(async () => expect(await statusOf(externalId)).toBe('MATURED'));
});

test('an answer that is lost, as with its worker, is no second effect: all concerned are told', async () => {
  const { reported, created, externalId } = await begin();
  let lost = 0;
  afterwards = () => {
    if (lost++ === 0) throw ApplicationFailure.retryable('the worker died');
  };
  const { process } = await reported(created);
  expect(await process.result()).toBe('PROCESSED');
  expect(lost).toBe(2);
  const counted = await firstRow<{ n: number; id: string }>(
    world.db,
    `SELECT count(*)::int AS n, min(p.id::text) AS id FROM participations p
     JOIN investment_transactions t ON t.participation_id = p.id WHERE p.external_id = $1`,
    [externalId],
  );
  expect(counted?.n).toBe(1);
  const participation = await world.temporal.workflow.getHandle(`participation:${counted!.id}`).describe();
  expect(participation.status.name).toBe('RUNNING');
});

test('a type that this release does not know is ignored', async () => {
  const { reported, created } = await begin();
  const { event, process } = await reported({ ...created, type: 'profit.distributed' });
  expect(await process.result()).toBe('DEAD');
  await execute(world.db, `UPDATE webhook_events SET type = 'kyc.seen', status = 'RECEIVED' WHERE id = $1`, [
    event.webhookEventId,
  ]);
  await world.processes.start(providerEventProcess, event);
  expect(await process.result()).toBe('IGNORED');
  await keepHistory(process, 'ignored');
});

describe('a step that fails for good waits for a person', () => {
  const broken = ApplicationFailure.nonRetryable('the disk is full', 'DiskFull');

  test('who has it tried again when the cause is gone', async () => {
    const { reported, created } = await begin();
    before = broken;
    const { process } = await reported(created);
    await parks(process);
    before = null;
    await process.executeUpdate(retryStep, { args: [{ noteId: null }] });
    expect(await process.result()).toBe('PROCESSED');
    await keepHistory(process, 'parked-then-retried');
  });

  test('who gives it up: it is dead', async () => {
    const { reported, created, row } = await begin();
    before = broken;
    const { event, process } = await reported(created);
    await parks(process);
    await process.executeUpdate(abandonStep, { args: [{ noteId: null }] });
    expect(await process.result()).toBe('DEAD');
    expect(await row(event.webhookEventId)).toMatchObject({
      status: 'DEAD',
      error: 'An operator gave it up.',
    });
    await keepHistory(process, 'parked-then-abandoned');
  });
});
