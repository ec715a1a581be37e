import { startProcesses } from '../../workers/start';
import { invariantCheckProcess } from '../../workflows/administration/operations/invariant-check.contract';
import { cataloguePopularityProcess } from '../../workflows/catalog/popularity/catalogue-popularity.contract';
import { webhookSweepProcess } from '../../workflows/commerce/webhook/webhook-sweep.contract';
import { ledgerReconciliationProcess } from '../../workflows/ledger/ledger-reconciliation.contract';
import { commissionMaturationProcess } from '../../workflows/partners/maturation/commission-maturation.contract';
import { eventually } from '../support/checks/eventually';
import { ownWorld } from '../support/worlds/world';

const JOBS = [
  invariantCheckProcess,
  commissionMaturationProcess,
  cataloguePopularityProcess,
  ledgerReconciliationProcess,
] as const;

let running = 0;
let end: () => void = () => undefined;
const ended = new Promise<void>((resolve) => (end = resolve));
const untilEnd = async <Result>(result: Result): Promise<Result> => {
  running++;
  await ended;
  return result;
};

/** Every job whose activity is long work lasts until `end`. */
const world = ownWorld({
  queues: ['batch', 'long'],
  fakes: () => ({
    checkInvariants: () => untilEnd({ broken: 0, invariants: [] }),
    matureDueCommissions: () => untilEnd({ matured: 0, after: null }),
    recountPopularity: () => untilEnd({ changed: 0, full: false }),
    reconcileLedger: () => untilEnd({ drifts: 0, unbalancedTransfers: 0 }),
  }),
});

test('while long work has taken all of its slots, the sweep of the minute runs', async () => {
  const start = startProcesses(world.temporal);
  for (const job of JOBS) await start(job, {});
  await eventually(() => {
    expect(running).toBe(3);
    return Promise.resolve();
  });
  await start(webhookSweepProcess, {});
  expect(await world.temporal.workflow.getHandle(webhookSweepProcess.id({})).result()).toEqual({
    started: 0,
  });
  expect(running).toBe(3);

  end();
  for (const job of JOBS) await world.temporal.workflow.getHandle(job.id({})).result();
  expect(running).toBe(4);
});
