import { triggersOf, type Announcing } from './announcing';

const ROWS = 'announce_catalogue_rows';

const TABLES: readonly Announcing[] = [
  { table: 'categories', update: ROWS, insertOrDelete: ROWS },
  { table: 'products', update: 'announce_product_updates', insertOrDelete: ROWS },
  { table: 'product_images', update: ROWS, insertOrDelete: ROWS },
  { table: 'product_variants', update: ROWS, insertOrDelete: ROWS },
  { table: 'stock_items', update: 'announce_stock', insertOrDelete: 'announce_stock' },
];

/**
 * Changes of all that visitors see, noted by triggers in the transaction that makes them and announced when that
 * commits. One row per transaction and no counter, so that no sale waits for another one. The catalogue's version is a
 * snapshot (`pg_current_snapshot()`): newer than it are the rows that it does not see.
 *
 * Tags say what no longer holds: `all`; a product's id; `availability` (something ran out or came back); `sales` and
 * `sales:<category id>` (popularity). The table need not survive a crash: its readers start anew then.
 */
export const CHANGES = `
  CREATE UNLOGGED TABLE catalogue_changes (
    transaction_id bigint NOT NULL CONSTRAINT catalogue_changes_pkey PRIMARY KEY,
    tags text[] NOT NULL CONSTRAINT catalogue_changes_tags_check CHECK (cardinality(tags) > 0),
    changed_at timestamptz NOT NULL
  );

  CREATE FUNCTION announce_catalogue_change(changed text[]) RETURNS void LANGUAGE plpgsql AS $body$
  BEGIN
    IF coalesce(cardinality(changed), 0) = 0 THEN RETURN; END IF;
    IF cardinality(changed) > 100 THEN changed := '{all}'; END IF;
    INSERT INTO catalogue_changes AS c (transaction_id, tags, changed_at)
    VALUES (pg_current_xact_id()::text::bigint, changed, clock_timestamp())
    ON CONFLICT ON CONSTRAINT catalogue_changes_pkey
    DO UPDATE SET tags = ARRAY(SELECT DISTINCT unnest(c.tags || EXCLUDED.tags))
    WHERE NOT c.tags @> EXCLUDED.tags AND NOT c.tags @> '{all}';
    PERFORM pg_notify('catalogue', '');
  END
  $body$;

  CREATE FUNCTION announce_catalogue_rows() RETURNS trigger LANGUAGE plpgsql AS $body$
  DECLARE
    touched boolean := true;
  BEGIN
    IF TG_OP = 'INSERT' OR TG_OP = 'UPDATE' THEN touched := EXISTS (SELECT 1 FROM new_rows);
    ELSIF TG_OP = 'DELETE' THEN touched := EXISTS (SELECT 1 FROM old_rows);
    END IF;
    IF touched THEN PERFORM announce_catalogue_change('{all}'); END IF;
    RETURN NULL;
  END
  $body$;

  CREATE FUNCTION announce_product_updates() RETURNS trigger LANGUAGE plpgsql AS $body$
  BEGIN
    PERFORM announce_catalogue_change((
      SELECT array_agg(DISTINCT t.tag) FROM old_rows o JOIN new_rows n USING (id), LATERAL (VALUES
        (CASE WHEN
          (o.category_id, o.name, o.slug, o.sku, o.description, o.short_description, o.price_minor,
           o.compare_at_price_minor, o.currency, o.status, o.track_inventory, o.weight_grams, o.length_mm, o.width_mm,
           o.height_mm, o.tags, o.attributes, o.commission_bp, o.career_points_bp, o.created_at)
          IS DISTINCT FROM
          (n.category_id, n.name, n.slug, n.sku, n.description, n.short_description, n.price_minor,
           n.compare_at_price_minor, n.currency, n.status, n.track_inventory, n.weight_grams, n.length_mm, n.width_mm,
           n.height_mm, n.tags, n.attributes, n.commission_bp, n.career_points_bp, n.created_at)
          THEN 'all' END),
        (CASE WHEN (o.ratings, o.updated_at) IS DISTINCT FROM (n.ratings, n.updated_at) THEN n.id::text END),
        (CASE WHEN o.units_sold_90d <> n.units_sold_90d THEN 'sales' END),
        (CASE WHEN o.units_sold_90d <> n.units_sold_90d THEN 'sales:' || n.category_id END)) t(tag)
      WHERE t.tag IS NOT NULL));
    RETURN NULL;
  END
  $body$;

  CREATE FUNCTION announce_stock() RETURNS trigger LANGUAGE plpgsql AS $body$
  DECLARE
    changed text[];
  BEGIN
    IF TG_OP = 'UPDATE' THEN
      SELECT array_agg(DISTINCT t.tag) INTO changed FROM old_rows o JOIN new_rows n USING (id), LATERAL (VALUES
        (o.product_id::text), (n.product_id::text),
        (CASE WHEN (o.available = 0) <> (n.available = 0) OR o.product_id <> n.product_id THEN 'availability' END)
      ) t(tag)
      WHERE t.tag IS NOT NULL
        AND (o.available, o.product_id, o.variant_id) IS DISTINCT FROM (n.available, n.product_id, n.variant_id);
    ELSIF TG_OP = 'INSERT' THEN
      SELECT array_agg(DISTINCT t.tag) INTO changed
      FROM new_rows n, LATERAL (VALUES (n.product_id::text), ('availability')) t(tag);
    ELSE
      SELECT array_agg(DISTINCT t.tag) INTO changed
      FROM old_rows o, LATERAL (VALUES (o.product_id::text), ('availability')) t(tag);
    END IF;
    PERFORM announce_catalogue_change(changed);
    RETURN NULL;
  END
  $body$;

  ${TABLES.map(triggersOf).join('')}
`;
