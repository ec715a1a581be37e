import { EVENTS } from './announcing';

/** Stands for "in no category" where a key has to be something. */
const NOWHERE = '00000000-0000-0000-0000-000000000000';

/** The changes of the counts by the products of a relation that come to be (1) or are no more (-1). */
const counted = (relation: string, change: 1 | -1): string =>
  `SELECT coalesce(r.category_id, '${NOWHERE}') AS category_id, t.tag, ${change} AS change
    FROM ${relation} r, LATERAL (SELECT DISTINCT unnest(r.tags || ''::text) AS tag) t
    WHERE r.status IN ('ACTIVE', 'OUT_OF_STOCK') AND t.tag IS NOT NULL`;

/** In the order of the key, so that two who change the same counts wait for each other and never in a circle. */
const addUp = (changes: string): string =>
  `INSERT INTO catalogue_counts AS c (category_id, tag, products)
    SELECT category_id, tag, sum(change) FROM (${changes}) changes
    GROUP BY category_id, tag HAVING sum(change) <> 0 ORDER BY category_id, tag
    ON CONFLICT ON CONSTRAINT catalogue_counts_pkey DO UPDATE SET products = c.products + EXCLUDED.products`;

const triggerOn = ({ event, rows }: (typeof EVENTS)[number]): string => `
  CREATE TRIGGER products_count_${event} AFTER ${event.toUpperCase()} ON products
    ${rows} FOR EACH STATEMENT EXECUTE FUNCTION count_catalogue();`;

/**
 * The numbers of products that visitors may see, by category and by category and tag, maintained by triggers in the
 * transaction that changes a product: to count what is in the shop adds up some of these rows, however many products
 * there are. The tag '' stands for all products of the category. Sales and stock change nothing here, so they wait for
 * nobody.
 */
export const COUNTS = `
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
`;
