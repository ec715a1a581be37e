import { poolRun } from '../../../../support/builders/make/partners/pool-runs';
import type { Arrange } from '../arranged';

/** Runs of the leadership pools. */
export const poolArrangements: Readonly<Record<string, Arrange>> = {
  'GET /admin/pools/:id': async ({ world }) => ({ params: { id: (await poolRun(world.db)).id } }),
  'GET /admin/pools/:id/export': async ({ world }) => ({ params: { id: (await poolRun(world.db)).id } }),
  'POST /admin/pools/preview': () => Promise.resolve({ body: { kind: 'WEEKLY', period: '2025-W10' } }),
};
