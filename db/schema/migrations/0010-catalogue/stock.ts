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
    reference text NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT stock_movements_reference_key UNIQUE (stock_item_id, reference)
  );
  CREATE INDEX stock_movements_item_idx ON stock_movements (stock_item_id, created_at, id);
  CREATE TRIGGER stock_movements_no_change BEFORE UPDATE OR DELETE ON stock_movements
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
`;
