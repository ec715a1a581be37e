import type { QueryInterface } from 'sequelize';

/**
 * Events that other areas act on: written in the transaction that makes them true, with a delivery for each consumer, which it
 * deletes in the transaction that applies the event.
 */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE TABLE domain_events (
      position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      id uuid NOT NULL CONSTRAINT domain_events_id_key UNIQUE,
      type text NOT NULL CONSTRAINT domain_events_type_check CHECK (type IN (
        'order.paid', 'refund.completed', 'refund.charged_back', 'chargeback.lost', 'chargeback.returned', 'investment.created', 'profit.distributed',
        'partner.joined', 'partner.activated', 'partner.ranked', 'entrance.paid',
        'kyc.submitted', 'kyc.approved', 'kyc.rejected', 'kyc.expired')),
      reference text NOT NULL CONSTRAINT domain_events_reference_key UNIQUE,
      entity_id uuid NOT NULL,
      data jsonb NOT NULL,
      occurred_at timestamptz NOT NULL
    );
    CREATE INDEX domain_events_entity_idx ON domain_events (entity_id);
    -- Rows come in about the order of time.
    CREATE INDEX domain_events_occurred_idx ON domain_events USING brin (occurred_at);

    CREATE TABLE event_deliveries (
      consumer text NOT NULL,
      position bigint NOT NULL
        CONSTRAINT event_deliveries_position_fkey REFERENCES domain_events (position) ON DELETE CASCADE,
      -- Of the event, so that what waits is found without reading it.
      entity_id uuid NOT NULL,
      type text NOT NULL,
      occurred_at timestamptz NOT NULL,
      state text NOT NULL DEFAULT 'DUE' CONSTRAINT event_deliveries_state_check CHECK (state IN ('DUE', 'PARKED', 'DEAD')),
      -- Given up with an earlier event, which is made due again with it.
      dead_with bigint,
      state_since timestamptz NOT NULL DEFAULT now(),
      attempts integer NOT NULL DEFAULT 0,
      due_at timestamptz NOT NULL DEFAULT now(),
      last_error text,
      CONSTRAINT event_deliveries_pkey PRIMARY KEY (consumer, position),
      CONSTRAINT event_deliveries_dead_with_check CHECK (dead_with IS NULL OR (state = 'DEAD' AND dead_with < position))
    );
    -- The earlier events of an entity, for which the later ones wait.
    CREATE INDEX event_deliveries_entity_idx ON event_deliveries (consumer, entity_id, position);
    -- The queue of each consumer, however many are parked after a failure or were given up in years.
    CREATE INDEX event_deliveries_due_idx ON event_deliveries (consumer, position) WHERE state = 'DUE';
    -- All that are not applied, parked ones included, for those who wait for them.
    CREATE INDEX event_deliveries_waiting_idx ON event_deliveries (consumer, type, occurred_at) WHERE state <> 'DEAD';
    -- The few events that could not be applied, for their list and the checks.
    CREATE INDEX event_deliveries_parked_idx ON event_deliveries (due_at, position) WHERE state = 'PARKED';
    CREATE INDEX event_deliveries_dead_idx ON event_deliveries (state_since, position) WHERE state = 'DEAD';
    -- Those that may have a process, by what it carries.
    CREATE INDEX event_deliveries_process_idx ON event_deliveries ((consumer || ':' || position::text))
      WHERE state <> 'DUE' OR attempts > 0;
    -- Deliveries of an event go with it.
    CREATE INDEX event_deliveries_position_idx ON event_deliveries (position);
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP TABLE event_deliveries, domain_events;
  `);
}
