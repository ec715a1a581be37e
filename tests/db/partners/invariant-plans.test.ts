import { QueryTypes } from 'sequelize';
import { commissionAmountInvariants } from '../../../db/invariants/partners/commission-amount.invariants';
import { commissionBalanceInvariants } from '../../../db/invariants/partners/commission-balance.invariants';
import { commissionInvariants } from '../../../db/invariants/partners/commission.invariants';
import { partnerCountInvariants } from '../../../db/invariants/partners/partner-count.invariants';
import { partnerSaleInvariants } from '../../../db/invariants/partners/partner-sale.invariants';
import { execute } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { make } from '../../support/builders/make';
import { ownDatabase } from '../../support/servers/database';

/** With a higher number in COMMISSIONS, the time of every invariant is printed. Each fortieth is adjusted. */
const COMMISSIONS = Number(process.env['COMMISSIONS'] ?? 10_000);
const own = ownDatabase();

const id = (kind: number, n: string): string =>
  `('00000000-000${kind}-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;

/** Two commissions a sale, a refund of every tenth sale, and the transfers of all; past triggers and foreign keys. */
const ROWS = (partnerId: string, userId: string): string[] => [
  `INSERT INTO partner_sales (id, event_id, kind, source_id, buyer_id, partner_id, base_minor, commission_weight, points_weight,
     points, currency, programme_version, occurred_at, counted_at)
   SELECT gen_random_uuid(), gen_random_uuid(), kind, ${id(1, 'n')}, '${userId}', '${partnerId}', sign * 10000,
     sign * 20000000, 0, 0, 'USD', 1, now(), now()
   FROM generate_series(1, ${COMMISSIONS / 2}) AS n, (VALUES ('ORDER', 1), ('REFUND', -1)) AS k (kind, sign)
   WHERE kind = 'ORDER' OR n % 10 = 0`,
  `INSERT INTO partner_commissions (id, partner_id, type, source_type, source_id, level, programme_version, rank_level, base_minor,
     commission_weight, rate_bp, met_rate_bp, gross_minor, net_minor, currency, status, matures_at, created_at, adjustments,
     adjusted_by, adjusted_at, adjustment_reason)
   SELECT ${id(2, 'n')}, '${partnerId}', 1 + n % 2, 'ORDER', ${id(1, '(n + 1) / 2')}, 1 + n % 2, 1, 5, 10000, 20000000, 5000,
     CASE n % 2 WHEN 1 THEN 0 END, 1000, 1000, 'USD', 'PENDING', now(), now(), (n % 40 = 0)::int,
     CASE WHEN n % 40 = 0 THEN '${userId}'::uuid END, CASE WHEN n % 40 = 0 THEN now() END,
     CASE WHEN n % 40 = 0 THEN 'Checked.' END
   FROM generate_series(1, ${COMMISSIONS}) AS n`,
  `INSERT INTO partner_rank_changes (id, partner_id, programme_version, from_level, to_level, changed_at)
   SELECT gen_random_uuid(), gen_random_uuid(), 1, 1, 2, now() FROM generate_series(1, ${COMMISSIONS / 10})`,
  `INSERT INTO ledger_transfers (id, kind, subject_id, part, created_at)
   SELECT ${id(3, 'n')}, 'commission', ${id(2, 'n')}::text, '', now() FROM generate_series(1, ${COMMISSIONS}) AS n
   UNION ALL SELECT ${id(4, 'n')}, 'commission-adjustment', ${id(2, 'n')}::text, '1', now()
   FROM generate_series(40, ${COMMISSIONS}, 40) AS n`,
  `INSERT INTO ledger_entries (transfer_id, account, user_id, currency, amount_minor, created_at)
   SELECT id, account, user_id, 'USD', amount, now() FROM ledger_transfers,
     (VALUES ('partner_pending', '${userId}'::uuid, 1000), ('commission_expense', NULL, -1000)) AS e (account, user_id, amount)`,
  `INSERT INTO audit_records (id, action, entity_type, entity_id, created_at, previous_hash, hash, key_id)
   SELECT gen_random_uuid(), 'commission.adjust', 'commission', ${id(2, 'n')}::text, now(), '', 'made ' || n, 'made'
   FROM generate_series(40, ${COMMISSIONS}, 40) AS n`,
];

beforeAll(async () => {
  const partner = await make.partner(own.db);
  await inTransaction(own.owner, async (tx) => {
    await execute(tx, 'SET LOCAL session_replication_role = replica');
    await execute(tx, 'SET LOCAL statement_timeout = 0');
    for (const statement of ROWS(partner.id, partner.userId)) await execute(tx, statement);
  });
  await own.owner.sequelize.query('VACUUM ANALYZE');
}, 900_000);

interface Plan {
  'Relation Name'?: string;
  'Actual Loops': number;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

/** The rows that a plan read of tables, those that were left out included. */
const rowsRead = (plan: Plan): number =>
  (plan['Relation Name'] === undefined
    ? 0
    : plan['Actual Loops'] * (1 + plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0))) +
  (plan.Plans ?? []).reduce((sum, below) => sum + rowsRead(below), 0);

test.each([
  ...commissionBalanceInvariants,
  ...commissionAmountInvariants,
  ...commissionInvariants,
  ...partnerCountInvariants,
  ...partnerSaleInvariants,
])(
  '$id reads every row a few times, however many there are',
  async ({ id: name, sql }) => {
    const [found] = await inTransaction(own.owner, async (tx) => {
      await execute(tx, 'SET LOCAL statement_timeout = 0');
      return own.owner.sequelize.query<{
        'QUERY PLAN': { Plan: Plan; 'Execution Time': number }[];
      }>(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, {
        type: QueryTypes.SELECT,
        transaction: tx.transaction,
      });
    });
    const explained = found!['QUERY PLAN'][0]!;
    if (COMMISSIONS > 10_000) process.stderr.write(`${name}: ${explained['Execution Time'].toFixed(0)} ms\n`);
    expect(rowsRead(explained.Plan)).toBeLessThan(8 * COMMISSIONS);
  },
  900_000,
);
