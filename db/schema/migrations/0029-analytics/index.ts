import type { QueryInterface } from 'sequelize';
import { COUNT_AGAIN } from './count-again';
import { VIEW } from './facts-view';
import { PARTNER_STATES } from './partner-states';
import { DROP_TRIGGERS, TRIGGERS } from './triggers';

const TABLES = `
  CREATE TABLE analytics_rollups (
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
  CREATE TABLE analytics_changes (
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
  CREATE TABLE customer_first_orders (
    user_id uuid PRIMARY KEY,
    order_id uuid NOT NULL
  );
`;

/**
 * Figures of the business by quarters of an hour. Triggers store every fact in the transaction in which it happens, and a job
 * adds it to the rollups.
 */
export async function up(query: QueryInterface): Promise<void> {
  for (const part of [TABLES, PARTNER_STATES, TRIGGERS, VIEW, COUNT_AGAIN]) await query.sequelize.query(part);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP FUNCTION analytics_count_again();
    DROP VIEW analytics_facts;
    DROP TRIGGER partners_keep_status ON partners;
    DROP TRIGGER partner_rank_changes_keep ON partner_rank_changes;
    DROP FUNCTION keep_partner_status(), keep_partner_rank();
    ${DROP_TRIGGERS}
    DROP TABLE partner_state_changes, customer_first_orders, analytics_changes, analytics_rollups;
  `);
}
