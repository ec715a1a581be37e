import type { QueryInterface } from 'sequelize';
import { inShortLocks } from './0053-payables';
import { buildIndex, dropIndex, type ConcurrentIndex } from './0054-payables-checked';

/** The events that the commission engine takes. */
const TAKEN = `type IN ('order.paid', 'refund.completed', 'chargeback.lost', 'chargeback.returned', 'investment.created',
  'profit.distributed', 'partner.joined', 'partner.activated', 'partner.ranked', 'entrance.paid')`;

/** The events among them that were not announced before. */
const ADDED = `type IN ('chargeback.lost', 'chargeback.returned', 'partner.joined', 'partner.activated', 'partner.ranked',
  'entrance.paid')`;

const KYC_TYPES = `'kyc.submitted', 'kyc.approved', 'kyc.rejected', 'kyc.expired'`;

const QUEUE: ConcurrentIndex = {
  name: 'domain_events_engine_idx',
  on: `domain_events (occurred_at, id) WHERE taken_at IS NULL AND parked_at IS NULL AND given_up_at IS NULL AND ${TAKEN}`,
};

/** The few events that could not be counted, for their list and the checks. */
const PARKED: ConcurrentIndex = {
  name: 'domain_events_parked_idx',
  on: 'domain_events (parked_at, id) WHERE parked_at IS NOT NULL',
};

/** The sales that a pool waits for, among events that nobody takes. */
const SALES: ConcurrentIndex = {
  name: 'domain_events_sales_idx',
  on: `domain_events (occurred_at) WHERE taken_at IS NULL AND given_up_at IS NULL
    AND type IN ('order.paid', 'refund.completed', 'chargeback.lost', 'chargeback.returned', 'investment.created')`,
};

/** The refunds and lost chargebacks that are not counted yet, which hold commissions of what was sold back. */
const REFUNDS: ConcurrentIndex = {
  name: 'domain_events_refunds_idx',
  on: `domain_events (entity_id) WHERE type IN ('refund.completed', 'chargeback.lost') AND taken_at IS NULL
    AND given_up_at IS NULL`,
};

/** When an engine last took an event. */
const LAST_TAKEN: ConcurrentIndex = {
  name: 'domain_events_taken_idx',
  on: `domain_events (taken_at) WHERE taken_at IS NOT NULL AND ${TAKEN}`,
};

const INDEXES = [QUEUE, PARKED, SALES, REFUNDS, LAST_TAKEN];

/** What the commission engine needs of the events that it takes, while events are written. */
export async function up(query: QueryInterface): Promise<void> {
  await inShortLocks(
    query,
    `ALTER TABLE domain_events
       DROP CONSTRAINT IF EXISTS domain_events_type_check,
       ADD CONSTRAINT domain_events_type_check CHECK (${TAKEN} OR type IN (${KYC_TYPES})) NOT VALID,
       ADD COLUMN IF NOT EXISTS attempts integer NOT NULL DEFAULT 0,
       ADD COLUMN IF NOT EXISTS next_attempt_at timestamptz,
       ADD COLUMN IF NOT EXISTS last_error text,
       -- Given to a process of its own, which waits for a person.
       ADD COLUMN IF NOT EXISTS parked_at timestamptz,
       -- Given up by a person: it is not counted any more.
       ADD COLUMN IF NOT EXISTS given_up_at timestamptz,
       DROP CONSTRAINT IF EXISTS domain_events_given_up_check,
       ADD CONSTRAINT domain_events_given_up_check CHECK (num_nonnulls(taken_at, given_up_at) < 2) NOT VALID`,
  );
  await query.sequelize.query('ALTER TABLE domain_events VALIDATE CONSTRAINT domain_events_given_up_check');
  await query.sequelize.query('ALTER TABLE domain_events VALIDATE CONSTRAINT domain_events_type_check');
  for (const index of INDEXES) await buildIndex(query, index);
}

/**
 * Commissions of events that this migration does not know stay without them; while the key stands, each deleted event would
 * be looked for among all commissions.
 */
export async function down(query: QueryInterface): Promise<void> {
  for (const { name } of INDEXES) await dropIndex(query, name);
  await inShortLocks(
    query,
    `ALTER TABLE partner_commissions DROP CONSTRAINT IF EXISTS partner_commissions_event_fkey;
     UPDATE partner_commissions c SET event_id = NULL FROM domain_events e WHERE e.id = c.event_id AND e.${ADDED};
     DELETE FROM partner_sales s USING domain_events e WHERE e.id = s.event_id AND e.${ADDED};
     DELETE FROM domain_events WHERE ${ADDED};
     ALTER TABLE partner_commissions ADD CONSTRAINT partner_commissions_event_fkey
       FOREIGN KEY (event_id) REFERENCES domain_events (id);
     ALTER TABLE domain_events
       DROP COLUMN IF EXISTS attempts, DROP COLUMN IF EXISTS next_attempt_at,
       DROP COLUMN IF EXISTS last_error, DROP COLUMN IF EXISTS parked_at, DROP COLUMN IF EXISTS given_up_at,
       DROP CONSTRAINT IF EXISTS domain_events_type_check,
       ADD CONSTRAINT domain_events_type_check CHECK (type IN ('order.paid', 'refund.completed',
         'investment.created', 'profit.distributed', ${KYC_TYPES}))`,
  );
}
