/** The way of an order: one parcel an order, and what its carrier told of it. */
export const SHIPMENTS = `
  CREATE TABLE shipments (
    order_id uuid PRIMARY KEY CONSTRAINT shipments_order_fkey REFERENCES orders (id),
    tracking_number text,
    tracking_url text,
    shipped_at timestamptz,
    delivered_at timestamptz,
    updated_at timestamptz NOT NULL,
    CONSTRAINT shipments_way_check CHECK (delivered_at IS NULL OR shipped_at IS NOT NULL)
  );
  CREATE INDEX shipments_tracking_search_idx ON shipments USING gin (search_key(tracking_number) gin_trgm_ops);

  CREATE TABLE tracking_events (
    id uuid PRIMARY KEY,
    order_id uuid NOT NULL CONSTRAINT tracking_events_order_fkey REFERENCES orders (id),
    status text NOT NULL CONSTRAINT tracking_events_status_check
      CHECK (status IN ('SHIPPED', 'IN_TRANSIT', 'OUT_FOR_DELIVERY', 'DELIVERED')),
    location text,
    description text NOT NULL,
    happened_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL
  );
  CREATE INDEX tracking_events_order_idx ON tracking_events (order_id, happened_at, id);
`;
