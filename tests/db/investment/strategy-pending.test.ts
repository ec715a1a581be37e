import { strategyFinancials } from '../../../db/investment/strategy/administered-strategy-list.reads';
import { valued } from '../../../db/investment/participation/valued';
import { execute, firstRow } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();

test('administrators see the pending returns that owners see, also where a provider moved the maturity', async () => {
  const { id: strategyId } = await make.strategy(own.db);
  const at = new Date(Date.now() - 40 * 86_400_000);
  const common = { strategyId, status: 'ACTIVE', at } as const;
  await make.participation(own.db, { ...common, profits: [{ amountMinor: 1_00 }] });
  await make.participation(own.db, { ...common, amountMinor: 333_33 });
  const moved = await make.participation(own.db, common);
  await execute(
    own.db,
    `UPDATE participations SET matures_at = started_at + interval '10 days' WHERE id = $1`,
    [moved.id],
  );
  const owners = await firstRow<{ minor: number }>(
    own.db,
    `SELECT sum(p.pending_minor)::bigint AS minor FROM ${valued('p.strategy_id = $2', '$1')} p`,
    [new Date(), strategyId],
  );
  const { pendingMinor } = await strategyFinancials(own.db, strategyId);
  expect(pendingMinor).toBe(owners!.minor);
  expect(pendingMinor).toBeGreaterThan(0);
});
