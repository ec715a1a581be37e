import { firstRow, rows } from '../../db/sql/query';
import { make } from '../support/builders/make';
import { violations } from '../support/checks/violations';
import { ownDatabase } from '../support/servers/database';

const own = ownDatabase();

const DAY_MS = 86_400_000;
const at = new Date(Date.now() - 30 * DAY_MS);
/** When the one that matures does so. */
const next = new Date(at.getTime() + 10 * DAY_MS);

test('participations of every status are made with their transactions, ledger and capacity', async () => {
  const { db } = own;
  const { id: strategyId } = await make.strategy(db, { totalCapacityMinor: 1_000_000 });
  const of = { userId: (await make.user(db)).id, strategyId, at };
  await make.participation(db, of);
  await make.participation(db, { ...of, status: 'CANCELLED' });
  await make.participation(db, { ...of, status: 'ACTIVE', payouts: [{ amountMinor: 400_00 }] });
  await make.participation(db, { ...of, status: 'ACTIVE', origin: 'PROVIDER', externalId: 'a-1' });
  const profits = [{ amountMinor: 30_00 }, { amountMinor: -10_00 }];
  const matured = { ...of, status: 'MATURED', durationDays: 10, profits } as const;
  const { id: reinvestedFromId } = await make.participation(db, matured);
  await make.participation(db, { ...of, status: 'ACTIVE', reinvestedFromId, at: next });
  await make.participation(db, { ...of, status: 'WITHDRAWN', profits, penaltyMinor: 50_00 });

  expect(await firstRow(db, 'SELECT * FROM investment_strategies')).toMatchObject({
    ...{ reservedMinor: 360_000, activeParticipations: 3, totalParticipants: 1, totalInvestedMinor: 500_000 },
  });
  const types =
    'SELECT type, sum(amount_minor)::int AS minor FROM investment_transactions GROUP BY 1 ORDER BY 1';
  expect(await rows(db, types)).toEqual([
    { type: 'DEPOSIT', minor: 500_000 },
    { type: 'PENALTY', minor: 5_000 },
    { type: 'PROFIT', minor: 4_000 },
    { type: 'WITHDRAWAL', minor: 40_000 + 102_000 + 97_000 },
  ]);
  expect(await rows(db, 'SELECT balance_minor FROM ledger_balances')).toEqual([
    { balanceMinor: 40_000 + 2_000 + 97_000 },
  ]);
  expect(await violations(db)).toEqual([]);
});
