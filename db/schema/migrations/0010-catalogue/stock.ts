/** Stock with the record of every movement, which is never altered. */
export const STOCK = `
  CREATE TABLE stock_items (
    id uuid PRIMARY KEY,
    product_id uuid NOT NULL CONSTRAINT stock_items_product_fkey REFERENCES products (id),
    variant_id uuid CONSTRAINT stock_items_variant_fkey REFERENCES product_variants (id),
    available integer NOT NULL CONSTRAINT stock_items_available_check CHECK (available >= 0),
    reserved integer NOT NULL DEFAULT 0 CONSTRAINT stock_items_reserved_check CHECK (reserved >= 0),
    updated_at timestamptz NOT NULL,
    -- Goods of a variant that is gone: they count for nothing that anyone could order.
    withdrawn boolean NOT NULL DEFAULT false,
    CONSTRAINT stock_items_product_variant_key UNIQUE NULLS NOT DISTINCT (product_id, variant_id)
  );

  CREATE TABLE stock_movements (
    id uuid PRIMARY KEY,
    stock_item_id uuid NOT NULL CONSTRAINT stock_movements_item_fkey REFERENCES stock_items (id),
    kind text NOT NULL CONSTRAINT stock_movements_kind_check
      CHECK (kind IN ('INITIAL', 'RESERVE', 'RELEASE', 'SELL', 'RESTOCK', 'ADJUST')),
    available_delta integer NOT NULL,
    reserved_delta integer NOT NULL,
    -- The order whose goods are moved; their keys come with the tables that they name.
    order_id uuid,
    -- The refund of that order that restocks its goods; a cancellation restocks without one.
    refund_request_id uuid,
    -- The administrator who counted; null if nobody did.
    counted_by uuid CONSTRAINT stock_movements_counted_by_fkey REFERENCES users (id),
    created_at timestamptz NOT NULL,
    CONSTRAINT stock_movements_cause_check CHECK (CASE kind
      WHEN 'INITIAL' THEN order_id IS NULL AND refund_request_id IS NULL
      WHEN 'ADJUST' THEN order_id IS NULL AND refund_request_id IS NULL
      WHEN 'RESTOCK' THEN order_id IS NOT NULL AND counted_by IS NULL
      ELSE order_id IS NOT NULL AND refund_request_id IS NULL AND counted_by IS NULL END)
  );
  -- One event of an order moves an item once.
  CREATE UNIQUE INDEX stock_movements_order_key ON stock_movements (order_id, stock_item_id, kind, refund_request_id)
    NULLS NOT DISTINCT WHERE order_id IS NOT NULL;
  CREATE INDEX stock_movements_item_idx ON stock_movements (stock_item_id, created_at, id);
  -- The removal of a user reads it, to keep the key.
  CREATE INDEX stock_movements_counted_by_idx ON stock_movements (counted_by) WHERE counted_by IS NOT NULL;
  CREATE TRIGGER stock_movements_no_change BEFORE UPDATE OR DELETE ON stock_movements
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
`;
