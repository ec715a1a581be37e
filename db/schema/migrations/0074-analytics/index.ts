import { Transaction, type QueryInterface } from 'sequelize';
import { inShortLocks } from '../0053-payables';
import { buildIndex, dropIndex, type ConcurrentIndex } from '../0054-payables-checked';
import {
  ofCommissions,
  ofEndedCommissions,
  ofEndedParticipations,
  ofEndedPayouts,
  ofInvestments,
  ofPaidOrders,
  ofOpenPayouts,
  ofPartnerStates,
  ofPartners,
  ofPayouts,
  ofRefundedCategories,
  ofRefunds,
  ofSoldCategories,
  ofVerifications,
} from './facts';
import { forgetPartnerStates, keepPartnerStates } from './partner-states';
import { unwatch, watch } from './triggers';

const TABLES = `
  CREATE TABLE IF NOT EXISTS analytics_rollups (
    -- A quarter of an hour; a day from any quarter of an hour on; thirty days.
    span_minutes integer NOT NULL CONSTRAINT analytics_rollups_span_check CHECK (span_minutes IN (15, 1440, 43200)),
    starts_at timestamptz NOT NULL,
    figure text NOT NULL,
    -- What a figure is divided by; empty where it is not.
    part text NOT NULL,
    -- Empty where it is about no money.
    currency text NOT NULL,
    occurrences bigint NOT NULL,
    amount_minor bigint NOT NULL,
    seconds bigint NOT NULL,
    CONSTRAINT analytics_rollups_pkey PRIMARY KEY (span_minutes, starts_at, figure, part, currency)
  );
  -- Facts that are not yet in the rollups; deleted when they are.
  CREATE TABLE IF NOT EXISTS analytics_changes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    figure text NOT NULL,
    -- The quarter of an hour.
    starts_at timestamptz NOT NULL,
    currency text NOT NULL,
    part text NOT NULL,
    occurrences bigint NOT NULL,
    amount_minor bigint NOT NULL,
    seconds bigint NOT NULL
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
          autovacuum_vacuum_insert_threshold = -1, autovacuum_analyze_threshold = 100000);
  -- The first order that each customer paid, decided once.
  CREATE TABLE IF NOT EXISTS customer_first_orders (
    user_id uuid PRIMARY KEY,
    order_id uuid NOT NULL
  );`;

const FIRST_ORDERS = `
  INSERT INTO customer_first_orders (user_id, order_id)
  SELECT DISTINCT ON (user_id) user_id, id FROM orders WHERE paid_at IS NOT NULL ORDER BY user_id, paid_at, id
  ON CONFLICT DO NOTHING`;

/** Everything that figures are made of. */
const VIEW = `
  CREATE OR REPLACE VIEW analytics_facts AS
  ${[
    ofPaidOrders('domain_events'),
    ofSoldCategories('domain_events'),
    ofRefunds('domain_events'),
    ofRefundedCategories('domain_events'),
    ofVerifications('domain_events'),
    ofInvestments('investment_transactions'),
    ofEndedParticipations('participations'),
    ofPartners('partners'),
    ofPartnerStates('partner_state_changes'),
    ofCommissions('partner_commissions'),
    ofEndedCommissions('partner_commissions'),
    ofPayouts('payouts'),
    ofEndedPayouts('payouts'),
    ofOpenPayouts('payouts'),
  ].join('\n  UNION ALL')}`;

const SUMS = 'sum(occurrences) AS occurrences, sum(amount_minor) AS amount_minor, sum(seconds) AS seconds';

/** Figures that are summed over whole ranges. */
const OF_RANGES = `'{category,method,rank,reason,status,strategy}'`;

/**
 * The facts up to now. Of a figure and part, a day that begins with a quarter of an hour is the sum of the quarters from that on:
 * all of them are taken, from a day before the first fact to the last.
 */
const ROLL_UP = `
  INSERT INTO analytics_rollups (span_minutes, starts_at, figure, part, currency, occurrences, amount_minor, seconds)
  WITH quarters AS MATERIALIZED (
    SELECT figure, part, currency, date_bin('15 minutes', at, 'epoch') AS starts_at, ${SUMS}
      FROM analytics_facts GROUP BY 1, 2, 3, 4
  ), days AS (
    SELECT figure, part, currency, starts_at, sum(quarters) OVER day AS quarters, sum(occurrences) OVER day AS occurrences,
           sum(amount_minor) OVER day AS amount_minor, sum(seconds) OVER day AS seconds
      FROM (
        SELECT figure, part, currency, starts_at, sum(quarters) AS quarters, ${SUMS} FROM (
          SELECT figure, part, currency, starts_at, 1 AS quarters, occurrences, amount_minor, seconds FROM quarters
          UNION ALL
          SELECT figure, part, currency, generate_series(min(starts_at) - interval '23:45', max(starts_at), interval '15 minutes'),
                 0, 0, 0, 0 FROM quarters GROUP BY 1, 2, 3
        ) AS every WHERE split_part(figure, '.', 1) <> ALL (${OF_RANGES}) GROUP BY 1, 2, 3, 4
      ) AS summed
    WINDOW day AS (PARTITION BY figure, part, currency ORDER BY starts_at ROWS BETWEEN CURRENT ROW AND 95 FOLLOWING)
  )
  SELECT 15, starts_at, figure, part, currency, occurrences, amount_minor, seconds FROM quarters
  UNION ALL
  SELECT 43200, date_bin('30 days', starts_at, 'epoch'), figure, part, currency, ${SUMS} FROM quarters GROUP BY 2, 3, 4, 5
  UNION ALL
  SELECT 1440, starts_at, figure, part, currency, occurrences, amount_minor, seconds FROM days WHERE quarters > 0
  UNION ALL
  SELECT 1440, date_bin('1 day', starts_at, 'epoch'), figure, part, currency, ${SUMS}
    FROM quarters WHERE split_part(figure, '.', 1) = ANY (${OF_RANGES}) GROUP BY 2, 3, 4, 5`;

/** Keeps the job away, which would otherwise add facts between the snapshot and the count. Readers do not wait. */
const LOCK = 'LOCK TABLE analytics_rollups IN SHARE ROW EXCLUSIVE MODE';

/**
 * Counts everything anew, also when a check finds that rollups are wrong. Its caller begins the transaction and locks the table:
 * the first query takes the snapshot, so a lock within the function would come after it.
 */
const COUNT_AGAIN = `
  CREATE OR REPLACE FUNCTION analytics_count_again() RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    IF current_setting('transaction_isolation') <> 'repeatable read' THEN
      RAISE EXCEPTION 'facts and what is kept of them must be seen at one moment: begin with ISOLATION LEVEL REPEATABLE READ';
    END IF;
    IF NOT EXISTS (SELECT 1 FROM pg_locks WHERE pid = pg_backend_pid() AND relation = 'analytics_rollups'::regclass
                     AND mode = 'ShareRowExclusiveLock' AND granted) THEN
      RAISE EXCEPTION 'analytics-rollup could add facts meanwhile: before any query, ${LOCK}';
    END IF;
    DELETE FROM analytics_changes;
    DELETE FROM analytics_rollups;
    ${ROLL_UP};
  END $$`;

const INDEXES: readonly ConcurrentIndex[] = [
  // Rows come in about the order of time.
  { name: 'domain_events_occurred_idx', on: 'domain_events USING brin (occurred_at)' },
  { name: 'investment_transactions_occurred_idx', on: 'investment_transactions (occurred_at)' },
  {
    name: 'partner_commissions_ended_idx',
    on: `partner_commissions ((CASE status WHEN 'PAID' THEN coalesce(paid_at, processed_at, created_at)
      ELSE coalesce(processed_at, created_at) END)) WHERE status IN ('PAID', 'REVERSED')`,
  },
];

/**
 * Figures of the business by quarters of an hour. Each table in locks of its own, so that nobody who sells waits: triggers
 * keep every fact from then on, and one snapshot counts those before. A fact and what a trigger keeps of it are committed
 * at once, so that it is in that snapshot with both or with neither. Begun again, it counts everything again.
 */
export async function up(query: QueryInterface): Promise<void> {
  await inShortLocks(query, TABLES);
  await inShortLocks(query, 'ALTER TABLE partner_commissions ADD COLUMN IF NOT EXISTS paid_at timestamptz');
  await keepPartnerStates(query);
  await watch(query);
  await inShortLocks(query, VIEW);
  await inShortLocks(query, COUNT_AGAIN);
  await query.sequelize.query(FIRST_ORDERS);
  const { REPEATABLE_READ } = Transaction.ISOLATION_LEVELS;
  await query.sequelize.transaction({ isolationLevel: REPEATABLE_READ }, async (transaction) => {
    await query.sequelize.query(LOCK, { transaction });
    await query.sequelize.query('SELECT analytics_count_again()', { transaction });
  });
  for (const index of INDEXES) await buildIndex(query, index);
}

export async function down(query: QueryInterface): Promise<void> {
  for (const { name } of INDEXES) await dropIndex(query, name);
  await inShortLocks(
    query,
    'DROP FUNCTION IF EXISTS analytics_count_again(); DROP VIEW IF EXISTS analytics_facts',
  );
  await unwatch(query);
  await forgetPartnerStates(query);
  await inShortLocks(query, 'ALTER TABLE partner_commissions DROP COLUMN IF EXISTS paid_at');
  await inShortLocks(
    query,
    'DROP TABLE IF EXISTS customer_first_orders, analytics_changes, analytics_rollups',
  );
}
