import type { QueryInterface } from 'sequelize';

/** Stands for "in no category" where a key has to be something. */
const NOWHERE = '00000000-0000-0000-0000-000000000000';

/**
 * How many products visitors may see, by category and by category and tag, kept by triggers in the transaction that
 * changes a product: whoever counts what is in the shop adds up some of these rows, however many products there are.
 * The tag '' stands for all products of the category. Sales and stock change nothing here, so they wait for nobody.
 */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE TABLE catalogue_counts (
      category_id uuid NOT NULL,
      tag text NOT NULL,
      products integer NOT NULL,
      CONSTRAINT catalogue_counts_pkey PRIMARY KEY (category_id, tag)
    );
    CREATE INDEX catalogue_counts_all_idx ON catalogue_counts (category_id) WHERE tag = '';

    CREATE FUNCTION count_catalogue() RETURNS trigger LANGUAGE plpgsql AS $body$
    BEGIN
      IF TG_OP = 'INSERT' THEN ${addUp(counted('new_rows', 1))};
      ELSIF TG_OP = 'DELETE' THEN ${addUp(counted('old_rows', -1))};
      ELSIF TG_OP = 'UPDATE' THEN ${addUp(`${counted('old_rows', -1)} UNION ALL ${counted('new_rows', 1)}`)};
      ELSE DELETE FROM catalogue_counts;
      END IF;
      RETURN NULL;
    END
    $body$;
    ${EVENTS.map(triggerOn).join('')}
    ${addUp(counted('products', 1))};

    CREATE INDEX products_category_price_idx ON products (category_id, price_minor, id)
      WHERE status IN ('ACTIVE', 'OUT_OF_STOCK');
    CREATE INDEX products_category_name_idx ON products (category_id, lower(name), id)
      WHERE status IN ('ACTIVE', 'OUT_OF_STOCK');
    CREATE INDEX products_any_category_idx ON products (category_id) INCLUDE (deleted_at);
    CREATE INDEX categories_off_idx ON categories (id) WHERE NOT is_active;
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP INDEX categories_off_idx, products_any_category_idx, products_category_name_idx, products_category_price_idx;
    ${EVENTS.map(({ event }) => `DROP TRIGGER products_count_${event} ON products;`).join('\n')}
    DROP FUNCTION count_catalogue();
    DROP TABLE catalogue_counts;
  `);
}

/** What the products of a table add to the counts (1), or take from them (-1). */
function counted(table: string, change: 1 | -1): string {
  return `SELECT coalesce(r.category_id, '${NOWHERE}') AS category_id, t.tag, ${change} AS change
    FROM ${table} r, LATERAL (SELECT DISTINCT unnest(r.tags || ''::text) AS tag) t
    WHERE r.status IN ('ACTIVE', 'OUT_OF_STOCK') AND t.tag IS NOT NULL`;
}

/** In the order of the key, so that two who change the same counts wait for each other and never in a circle. */
function addUp(changes: string): string {
  return `INSERT INTO catalogue_counts AS c (category_id, tag, products)
    SELECT category_id, tag, sum(change) FROM (${changes}) changes
    GROUP BY category_id, tag HAVING sum(change) <> 0 ORDER BY category_id, tag
    ON CONFLICT ON CONSTRAINT catalogue_counts_pkey DO UPDATE SET products = c.products + EXCLUDED.products`;
}

const EVENTS = [
  { event: 'insert', rows: 'REFERENCING NEW TABLE AS new_rows' },
  { event: 'update', rows: 'REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows' },
  { event: 'delete', rows: 'REFERENCING OLD TABLE AS old_rows' },
  { event: 'truncate', rows: '' },
] as const;

const triggerOn = ({ event, rows }: (typeof EVENTS)[number]): string => `
    CREATE TRIGGER products_count_${event} AFTER ${event.toUpperCase()} ON products
      ${rows} FOR EACH STATEMENT EXECUTE FUNCTION count_catalogue();`;
