/**
 * Movements of stock name their order. Held at the commit: a checkout reserves goods before it writes the order, so that of goods
 * that are short nothing is written.
 */
export const MOVED_GOODS = `
  ALTER TABLE stock_movements ADD CONSTRAINT stock_movements_order_fkey FOREIGN KEY (order_id) REFERENCES orders (id)
    DEFERRABLE INITIALLY DEFERRED;
`;
