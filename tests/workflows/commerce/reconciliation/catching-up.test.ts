import { claimComparisons } from '../../../../db/commerce/reconciliation/reading.transitions';
import { rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { reconciliationProcess } from '../../../../workflows/commerce/reconciliation/reconciliation.contract';
import { utcDayAgo } from '../../../support/builders/make/reconciliations';
import { keepHistory } from '../../../support/checks/histories';
import { ownSkippingWorld } from '../../../support/worlds/skipping-world';
import { patient } from '../sales';

const tries = { read: 0, compared: 0 };
const world = ownSkippingWorld({
  queues: ['batch', 'long', 'providers:sandbox:lookup'],
  fakes: (real) => ({
    readStatement: (reading) => {
      tries.read++;
      return real.readStatement(reading);
    },
    compareDay: (reading) => {
      tries.compared++;
      return real.compareDay(reading);
    },
  }),
});

test('while another day of the provider is compared, a day waits by timers, in one history after another, and is compared then', async () => {
  const input = { provider: 'sandbox', day: utcDayAgo(3) };
  const process = patient(world).workflow.getHandle(reconciliationProcess.id(input));
  const firstRun = await inTransaction(world.db, async (tx) => {
    expect(await claimComparisons(tx, input.provider)).toBe(true);
    await world.processes.start(reconciliationProcess, input);
    const { runId } = await process.describe();
    // Time only passes while no activity runs.
    await world.sleep('1 hour');
    return runId;
  });
  const { runId, status } = await process.describe();
  expect(status.name).toBe('RUNNING');
  expect(runId).not.toBe(firstRun);
  expect(tries.compared).toBeGreaterThan(40);

  expect(await process.result()).toEqual({ status: 'DONE', differences: 0 });
  expect(tries.read).toBe(1);
  expect(await rows(world.db, 'SELECT reading FROM provider_reconciliations')).toEqual([{ reading: 1 }]);
  await keepHistory(process, 'waits-for-another-day', firstRun);
  await keepHistory(process, 'waits-for-another-day-last');
});
