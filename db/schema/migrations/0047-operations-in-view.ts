import type { QueryInterface } from 'sequelize';

/**
 * The operators' list also says which order a process is about, how often its step was tried, and that it is being tried
 * again; decisions about the processes of an order are found under the order.
 */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    ALTER TABLE parked_processes
      ADD COLUMN order_id uuid,
      ADD COLUMN state text NOT NULL DEFAULT 'PARKED',
      ADD COLUMN attempts integer NOT NULL DEFAULT 1,
      ADD COLUMN retried_at timestamptz,
      ADD COLUMN note_id uuid,
      ADD CONSTRAINT parked_processes_state_check CHECK (state IN ('PARKED', 'RETRYING')),
      ADD CONSTRAINT parked_processes_attempts_check CHECK (attempts > 0),
      ADD CONSTRAINT parked_processes_retried_check CHECK ((state = 'RETRYING') = (retried_at IS NOT NULL));
    CREATE INDEX parked_processes_order_idx ON parked_processes (order_id);

    UPDATE parked_processes SET
      order_id = CASE
        WHEN entity_id !~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' THEN NULL
        WHEN type IN ('checkout', 'fulfilment') THEN entity_id::uuid
        WHEN type = 'paymentRefund' THEN (SELECT r.order_id FROM payment_refunds r WHERE r.id = entity_id::uuid)
        WHEN type = 'refundRequest' THEN (SELECT r.order_id FROM refund_requests r WHERE r.id = entity_id::uuid)
      END,
      reason = regexp_replace(reason, '( Send the update «retry»|; «retry» reminds).*$', '');

    CREATE INDEX audit_records_order_of_process_idx ON audit_records ((next ->> 'orderId'))
      WHERE entity_type = 'process';
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP INDEX audit_records_order_of_process_idx;
    DELETE FROM parked_processes WHERE state = 'RETRYING';
    ALTER TABLE parked_processes
      DROP COLUMN order_id, DROP COLUMN state, DROP COLUMN attempts, DROP COLUMN retried_at, DROP COLUMN note_id;
  `);
}
