import { ApplicationFailure } from '@temporalio/common';
import { v7 } from 'uuid';
import { reconciliationProcess } from '../../../../workflows/commerce/reconciliation/reconciliation.contract';
import { abandonStep, retryStep } from '../../../../workflows/kit/parking.contract';
import { rows } from '../../../../db/sql/query';
import { startProcesses } from '../../../../workers/start';
import { insertAll } from '../../../support/builders/make/insert';
import { keepHistory } from '../../../support/checks/histories';
import { eventually } from '../../../support/checks/eventually';
import { startWorld, type World } from '../../../support/worlds/world';

const DAY_MS = 86_400_000;
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/** The readings that answer that there is more, by the name of the day, so many times. */
const lasting = new Map<string, number>();

/** The readings that fail, by the name of the day. */
const failing = new Map<string, number>();
/** Days that fail for good. */
const refused = new Set<string>();

/** Days whose worker dies after the comparison has been committed. */
const dying = new Set<string>();

/** True as many times as the map says. */
function counted(times: Map<string, number>, day: string): boolean {
  const left = times.get(day) ?? 0;
  times.set(day, left - 1);
  return left > 0;
}

let world: World;
beforeAll(async () => {
  world = await startWorld({
    queues: ['batch', 'long', 'providers:sandbox:lookup'],
    fakes: (real) => ({
      readStatement: (reading) => {
        const { day } = reading;
        if (refused.has(day))
          return Promise.reject(ApplicationFailure.nonRetryable('The key is not accepted.'));
        if (counted(failing, day)) return Promise.reject(new Error('The provider answers 500.'));
        return counted(lasting, day)
          ? Promise.resolve({ cursor: `${day}T00:00:00.000000 ` })
          : real.readStatement(reading);
      },
      compareDay: async (reading) => {
        const compared = await real.compareDay(reading);
        if (dying.delete(reading.day)) throw new Error('The worker dies.');
        return compared;
      },
    }),
  });
});
afterAll(() => world.teardown());

const handleOf = (day: string) =>
  world.temporal.workflow.getHandle(reconciliationProcess.id({ provider: 'sandbox', day }));
const start = (day: string) =>
  startProcesses(world.temporal)(reconciliationProcess, { provider: 'sandbox', day });

/** Payments in the sandbox that nobody here knows, each with a fee. */
async function unknownPayments(day: string, count: number): Promise<void> {
  const payments = Array.from({ length: count }, (_, n) => ({
    ...{ id: v7(), payment_key: v7(), amount_minor: 100 + n, fee_minor: 3, currency: 'USD', status: 'PAID' },
    created_at: `${day}T12:00:00Z`,
  }));
  await insertAll(world.db, 'sandbox_payments', payments);
}

const feesOf = (day: string) =>
  rows(
    world.db,
    `SELECT 1 FROM ledger_transfers t JOIN provider_movements m ON t.part = m.provider_id
      WHERE t.kind = 'fee' AND t.subject_id = 'sandbox' AND m.day = $1 AND m.kind = 'FEE'`,
    [day],
  );

test('a day is read and compared once, however many start it at once, and again when it is started again', async () => {
  const day = daysAgo(3);
  await unknownPayments(day, 2);
  await Promise.all([start(day), start(day), start(day)]);
  expect(await handleOf(day).result()).toEqual({ status: 'DONE', differences: 2 });
  await keepHistory(handleOf(day), 'differences');
  await start(day);
  expect(await handleOf(day).result()).toEqual({ status: 'DONE', differences: 2 });
  expect(await feesOf(day)).toHaveLength(2);
  expect(
    await rows(
      world.db,
      `SELECT reading, movements, fees_booked FROM provider_reconciliations WHERE day = $1`,
      [day],
    ),
  ).toEqual([{ reading: 2, movements: 4, feesBooked: 0 }]);
  const { currentDetails } = await handleOf(day).query<{ currentDetails: string }>(
    '__temporal_workflow_metadata',
  );
  expect(currentDetails).toContain('**2 differences with sandbox are open.**');
});

test('a provider that answers errors for a while is read when it answers again', async () => {
  const day = daysAgo(4);
  failing.set(day, 2);
  await start(day);
  expect(await handleOf(day).result()).toMatchObject({ status: 'DONE' });
});

test('a day whose worker dies after its comparison is committed comes to its end', async () => {
  const day = daysAgo(8);
  dying.add(day);
  await unknownPayments(day, 2);
  await start(day);
  const { status } = await handleOf(day).result();
  expect([status, dying.has(day)]).toEqual(['DONE', false]);
  expect(await feesOf(day)).toHaveLength(2);
});

test('one that refuses for good parks the day, until an operator tries again', async () => {
  const day = daysAgo(5);
  refused.add(day);
  await start(day);
  const id = reconciliationProcess.id({ provider: 'sandbox', day });
  await eventually(async () => {
    const parked = await rows(world.db, 'SELECT type, reason FROM parked_processes WHERE workflow_id = $1', [
      id,
    ]);
    expect(parked).toMatchObject([{ type: 'reconciliation' }]);
  });
  refused.delete(day);
  await world.temporal.workflow.getHandle(id).executeUpdate(retryStep, { args: [{ noteId: null }] });
  expect(await handleOf(day).result()).toMatchObject({ status: 'DONE' });
  await keepHistory(handleOf(day), 'retried');
  expect(await rows(world.db, 'SELECT 1 FROM parked_processes WHERE workflow_id = $1', [id])).toEqual([]);
});

test('an abandoned day is left, and is read whole by the next start', async () => {
  const day = daysAgo(6);
  refused.add(day);
  await unknownPayments(day, 1);
  await start(day);
  const handle = handleOf(day);
  await eventually(async () => {
    const id = reconciliationProcess.id({ provider: 'sandbox', day });
    expect(await rows(world.db, 'SELECT 1 FROM parked_processes WHERE workflow_id = $1', [id])).toHaveLength(
      1,
    );
  });
  await handle.executeUpdate(abandonStep, { args: [{ noteId: null }] });
  expect(await handle.result()).toEqual({ status: 'ABANDONED', differences: 0 });
  await keepHistory(handle, 'abandoned');
  expect(await feesOf(day)).toEqual([]);
  refused.delete(day);
  await start(day);
  expect(await handleOf(day).result()).toMatchObject({ status: 'DONE' });
  expect(await feesOf(day)).toHaveLength(1);
});

test('a day of very many pages is read in one history after another, as one reading', async () => {
  const day = daysAgo(7);
  lasting.set(day, 90);
  await unknownPayments(day, 1);
  await start(day);
  const first = await handleOf(day).describe();
  expect(await handleOf(day).result()).toMatchObject({ status: 'DONE' });
  const { runId, historyLength } = await handleOf(day).describe();
  expect(runId).not.toBe(first.runId);
  expect(historyLength).toBeLessThan(400);
  await keepHistory(handleOf(day), 'many-pages', first.runId);
  await keepHistory(handleOf(day), 'many-pages-last');
  const [run] = await rows(world.db, 'SELECT reading FROM provider_reconciliations WHERE day = $1', [day]);
  expect(run).toEqual({ reading: 1 });
});

test.each([daysAgo(-1), daysAgo(60), 'yesterday'])(
  '%s is refused for good, and leaves nothing',
  async (day) => {
    await start(day);
    await expect(handleOf(day).result()).rejects.toThrow();
    expect(
      await rows(world.db, 'SELECT 1 FROM provider_reconciliations WHERE day::text = $1', [day]),
    ).toEqual([]);
  },
);
