import { execute, rows } from '../../../../db/sql/query';
import { providerReconciliation } from '../../../../workflows/commerce/reconciliation/provider-reconciliation.job';
import { reconciliationProcess } from '../../../../workflows/commerce/reconciliation/reconciliation.contract';
import type { JobResult } from '../../../../workflows/kit/job/job.contract';
import { startJob } from '../../../support/worlds/run-job';
import { ownWorld } from '../../../support/worlds/world';

const world = ownWorld({ queues: ['batch', 'long', 'providers:sandbox:lookup'] });

const DAY_MS = 86_400_000;
/** An hour ago: the day before has been over for an hour then, whenever this runs. */
const NOW = new Date(Date.now() - 3_600_000);
const daysAgo = (days: number): string => new Date(NOW.getTime() - days * DAY_MS).toISOString().slice(0, 10);

/** Starts the job so often at once, for the same time; answers the days that were started. */
async function fired(times: number): Promise<string[]> {
  const now = new Date().toISOString();
  const handles = await Promise.all(
    Array.from({ length: times }, (_, n) =>
      startJob(world.temporal, providerReconciliation, {
        as: `${now}-${n}`,
        run: { due: now, at: now },
      }),
    ),
  );
  const results = await Promise.all(handles.map((handle) => handle.result() as Promise<JobResult>));
  const started = [
    ...new Set(results.flatMap(({ words }) => words.match(/sandbox:\S+?(?=,|$)/g) ?? [])),
  ].sort();
  for (const name of started) {
    const [provider = '', day = ''] = name.split(':');
    await world.temporal.workflow.getHandle(reconciliationProcess.id({ provider, day })).result();
  }
  return started;
}

const compared = async (): Promise<string[]> =>
  (
    await rows<{ day: string }>(
      world.db,
      `SELECT day::text AS day FROM provider_reconciliations WHERE compared_at IS NOT NULL ORDER BY day`,
    )
  ).map(({ day }) => day);

test('the first firing compares the day that has ended, also when it fires twice at once; later ones what was missed', async () => {
  expect(await fired(2)).toEqual([`sandbox:${daysAgo(1)}`]);
  expect(await compared()).toEqual([daysAgo(1)]);
  // The first run was a week ago, and only one day since then has been compared.
  await execute(world.db, `UPDATE provider_reconciliations SET day = $1`, [daysAgo(5)]);
  const missed = [4, 3, 2, 1].map(daysAgo);
  expect(await fired(1)).toEqual(missed.map((day) => `sandbox:${day}`));
  expect(await compared()).toEqual([5, 4, 3, 2, 1].map(daysAgo));
});
