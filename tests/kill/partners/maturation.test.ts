import { execute, rows } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { commissionMaturation } from '../../../workflows/partners/maturation/commission-maturation.job';
import { make } from '../../support/builders/make';
import { pendingCommission } from '../../support/builders/make/partners/partner-sales';
import { eventually } from '../../support/checks/eventually';
import { violations } from '../../support/checks/violations';
import { ownKillingWorld } from '../../support/worlds/killing-world';
import { startJob } from '../../support/worlds/run-job';

const COMMISSIONS = 100;

const world = ownKillingWorld({ variables: { POLICY_COMMISSION_BATCH: '10' } });

const approved = async (): Promise<number> =>
  (await rows(world.db, `SELECT 1 FROM partner_commissions WHERE status = 'APPROVED'`)).length;

/** Keeps the batch after these from ending: its transaction waits at a row that is held, or at a table. */
const holding = (lock: string, meanwhile: () => Promise<void>): Promise<void> =>
  inTransaction(world.owner, async (tx) => {
    await execute(tx, lock);
    await meanwhile();
  });

const someoneWaits = (): Promise<void> =>
  eventually(async () => {
    const waiting = await rows(
      world.db,
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(waiting.length).toBeGreaterThan(0);
  });

async function due(): Promise<{ id: string; userId: string }> {
  const partner = await make.partner(world.db);
  for (let n = 0; n < COMMISSIONS; n++)
    await pendingCommission(world.db, {
      partner,
      maturesAt: new Date(Date.now() - 1_000 * (COMMISSIONS - n)),
    });
  return partner;
}

/** Ends the connections of the worker's jobs, as a crash of PostgreSQL does. */
const loseConnections = (): Promise<number> =>
  execute(
    world.owner,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );

it.each([
  ['the worker, killed before the ledger', 'LOCK TABLE ledger_transfers IN SHARE MODE', 'worker'],
  [
    'the worker, killed in the middle of the run',
    `SELECT 1 FROM partner_commissions WHERE status = 'PENDING' ORDER BY matures_at OFFSET 45 LIMIT 1 FOR UPDATE`,
    'worker',
  ],
  ['PostgreSQL, lost within a batch', 'LOCK TABLE ledger_entries IN SHARE MODE', 'PostgreSQL'],
] as const)('%s: the run goes on, and each commission matures once', async (_, lock, killed) => {
  const partner = await due();
  const before = await approved();
  const handle = await heldStart(lock, killed);
  expect(await handle.result()).toMatchObject({ done: COMMISSIONS });
  expect((await approved()) - before).toBe(COMMISSIONS);
  const balances = await rows(
    world.db,
    'SELECT account, balance_minor FROM ledger_balances WHERE user_id = $1 ORDER BY account',
    [partner.userId],
  );
  expect(balances).toEqual([
    { account: 'partner_available', balanceMinor: COMMISSIONS * 10_00 },
    { account: 'partner_pending', balanceMinor: 0 },
  ]);
  const broken = (await violations(world.db)).filter((line) =>
    /^(ledger|commissions|partner-standings\.count-earnings)/.test(line),
  );
  expect(broken).toEqual([]);
});

/** Starts a run that is killed while it waits for a lock. */
async function heldStart(lock: string, killed: 'worker' | 'PostgreSQL') {
  let handle: Awaited<ReturnType<typeof startJob>> | undefined;
  await holding(lock, async () => {
    handle = await startJob(world.temporal, commissionMaturation);
    await someoneWaits();
    if (killed === 'worker') await world.worker.kill();
    else await loseConnections();
  });
  if (killed === 'worker') await world.worker.start();
  return handle!;
}
