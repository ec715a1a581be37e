import type { QueryInterface } from 'sequelize';

/** The events that the commission engine takes. */
const TAKEN = `type IN ('order.paid', 'refund.completed', 'refund.charged_back', 'chargeback.lost', 'chargeback.returned',
  'investment.created', 'profit.distributed', 'partner.joined', 'partner.activated', 'partner.ranked', 'entrance.paid')`;

/**
 * Events that other areas act on: written in the transaction that makes them true, taken when their consumers get to
 * them.
 */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE TABLE domain_events (
      id uuid PRIMARY KEY,
      type text NOT NULL CONSTRAINT domain_events_type_check CHECK (${TAKEN} OR type IN
        ('kyc.submitted', 'kyc.approved', 'kyc.rejected', 'kyc.expired')),
      reference text NOT NULL CONSTRAINT domain_events_reference_key UNIQUE,
      entity_id uuid NOT NULL,
      data jsonb NOT NULL,
      occurred_at timestamptz NOT NULL,
      taken_at timestamptz,
      attempts integer NOT NULL DEFAULT 0,
      next_attempt_at timestamptz,
      last_error text,
      -- Given to a process of its own, which waits for a person.
      parked_at timestamptz,
      -- Given up by a person: it is not counted any more.
      given_up_at timestamptz,
      CONSTRAINT domain_events_given_up_check CHECK (num_nonnulls(taken_at, given_up_at) < 2)
    );
    CREATE INDEX domain_events_untaken_idx ON domain_events (occurred_at, id) WHERE taken_at IS NULL;
    CREATE INDEX domain_events_entity_idx ON domain_events (entity_id);
    -- Rows come in about the order of time.
    CREATE INDEX domain_events_occurred_idx ON domain_events USING brin (occurred_at);

    -- The queue of the commission engine.
    CREATE INDEX domain_events_engine_idx ON domain_events (occurred_at, id)
      WHERE taken_at IS NULL AND parked_at IS NULL AND given_up_at IS NULL AND ${TAKEN};
    -- The few events that could not be counted, for their list and the checks.
    CREATE INDEX domain_events_parked_idx ON domain_events (parked_at, id) WHERE parked_at IS NOT NULL;
    -- The sales that a pool waits for, among events that nobody takes.
    CREATE INDEX domain_events_sales_idx ON domain_events (occurred_at) WHERE taken_at IS NULL
      AND given_up_at IS NULL
      AND type IN ('order.paid', 'refund.completed', 'refund.charged_back', 'chargeback.lost', 'chargeback.returned',
        'investment.created');
    -- The refunds and lost chargebacks that are not counted yet, which hold commissions of what was sold back, and go with it.
    CREATE INDEX domain_events_refunds_idx ON domain_events (entity_id)
      WHERE type IN ('refund.completed', 'refund.charged_back', 'chargeback.lost') AND taken_at IS NULL AND given_up_at IS NULL;
    -- When an engine last took an event.
    CREATE INDEX domain_events_taken_idx ON domain_events (taken_at) WHERE taken_at IS NOT NULL AND ${TAKEN};
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP TABLE domain_events;
  `);
}
