import type { QueryInterface } from 'sequelize';

/**
 * Strategies as a part of the catalogue: changes of what visitors see of them are announced, and they have pictures and
 * documents among the public media.
 *
 * Tags: `strategies` (texts, terms, the set of strategies and categories); a strategy's id (its own page: capacity,
 * popularity, returns by month, documents); `invested:<id>` (its popularity, which lists show); `investments` (the order by popularity).
 * A reservation therefore makes only one page stale, whose answer costs one indexed read.
 */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE FUNCTION announce_strategy_rows() RETURNS trigger LANGUAGE plpgsql AS $body$
    DECLARE
      touched boolean := false;
    BEGIN
      IF TG_OP = 'INSERT' OR TG_OP = 'UPDATE' THEN touched := EXISTS (SELECT 1 FROM new_rows);
      ELSIF TG_OP = 'DELETE' THEN touched := EXISTS (SELECT 1 FROM old_rows);
      END IF;
      IF touched THEN PERFORM announce_catalogue_change('{strategies}'); END IF;
      RETURN NULL;
    END
    $body$;

    CREATE FUNCTION announce_strategy_updates() RETURNS trigger LANGUAGE plpgsql AS $body$
    BEGIN
      PERFORM announce_catalogue_change((
        SELECT array_agg(DISTINCT t.tag) FROM old_rows o JOIN new_rows n USING (id), LATERAL (VALUES
          (CASE WHEN to_jsonb(o) - ${COUNTERS} IS DISTINCT FROM to_jsonb(n) - ${COUNTERS} THEN 'strategies' END),
          (CASE WHEN (o.reserved_minor, o.total_participants, o.total_invested_minor, o.active_participations, o.historical_returns,
              o.updated_at)
            IS DISTINCT FROM
            (n.reserved_minor, n.total_participants, n.total_invested_minor, n.active_participations, n.historical_returns,
              n.updated_at)
            THEN n.id::text END),
          (CASE WHEN (o.total_participants, o.total_invested_minor)
            IS DISTINCT FROM (n.total_participants, n.total_invested_minor) THEN 'invested:' || n.id END),
          (CASE WHEN o.total_invested_minor <> n.total_invested_minor THEN 'investments' END)) t(tag)
        WHERE t.tag IS NOT NULL));
      RETURN NULL;
    END
    $body$;

    CREATE FUNCTION announce_strategy_documents() RETURNS trigger LANGUAGE plpgsql AS $body$
    DECLARE
      changed text[];
    BEGIN
      IF TG_OP = 'DELETE' THEN SELECT array_agg(DISTINCT strategy_id::text) INTO changed FROM old_rows;
      ELSE SELECT array_agg(DISTINCT strategy_id::text) INTO changed FROM new_rows;
      END IF;
      PERFORM announce_catalogue_change(changed);
      RETURN NULL;
    END
    $body$;

    ${TABLES.map(triggersOf).join('')}

    ALTER TABLE media DROP CONSTRAINT media_purpose_check,
      ADD CONSTRAINT media_purpose_check CHECK (purpose IN ('AVATAR', 'PRODUCT', 'STRATEGY')),
      DROP CONSTRAINT media_content_type_check,
      ADD CONSTRAINT media_content_type_check CHECK (content_type IN ('image/webp', 'application/pdf')),
      ALTER COLUMN width DROP NOT NULL, ALTER COLUMN height DROP NOT NULL,
      ADD CONSTRAINT media_picture_check
        CHECK (num_nulls(width, height) = CASE content_type WHEN 'image/webp' THEN 0 ELSE 2 END);
    ALTER TABLE investment_strategies
      ADD COLUMN image_media_name text CONSTRAINT investment_strategies_media_fkey REFERENCES media (name);
    CREATE INDEX investment_strategies_media_idx ON investment_strategies (image_media_name);
    ALTER TABLE investment_strategy_documents
      ADD COLUMN media_name text CONSTRAINT investment_strategy_documents_media_fkey REFERENCES media (name);
    CREATE INDEX investment_strategy_documents_media_idx ON investment_strategy_documents (media_name);

    -- Room beside each row, so that counting a participation touches no index.
    ALTER TABLE investment_strategies SET (fillfactor = 50);
    DROP INDEX investment_strategies_created_idx;
    CREATE INDEX investment_strategies_created_idx ON investment_strategies (created_at, id);
    CREATE INDEX investment_strategies_return_idx ON investment_strategies (return_expected_bp, id);
    CREATE INDEX investment_strategies_duration_idx ON investment_strategies (min_days, max_days, id);
  `);
}

/** Strategies lose the pictures and documents that were uploaded here; their blobs are swept as strays. */
export async function down(query: QueryInterface): Promise<void> {
  const drops = TABLES.flatMap(({ table }) =>
    EVENTS.map(({ event }) => `DROP TRIGGER ${table}_announce_${event} ON ${table};`),
  );
  await query.sequelize.query(`
    ${drops.join('\n')}
    DROP FUNCTION announce_strategy_documents(), announce_strategy_updates(), announce_strategy_rows();
    DROP INDEX investment_strategies_created_idx, investment_strategies_return_idx, investment_strategies_duration_idx;
    CREATE INDEX investment_strategies_created_idx ON investment_strategies (created_at DESC, id);
    ALTER TABLE investment_strategies RESET (fillfactor);
    DELETE FROM investment_strategy_documents WHERE media_name IS NOT NULL;
    ALTER TABLE investment_strategy_documents DROP COLUMN media_name;
    UPDATE investment_strategies SET image_url = NULL WHERE image_media_name IS NOT NULL;
    ALTER TABLE investment_strategies DROP COLUMN image_media_name;
    DELETE FROM media WHERE purpose = 'STRATEGY';
    ALTER TABLE media DROP CONSTRAINT media_picture_check,
      ALTER COLUMN width SET NOT NULL, ALTER COLUMN height SET NOT NULL,
      DROP CONSTRAINT media_content_type_check,
      ADD CONSTRAINT media_content_type_check CHECK (content_type IN ('image/webp')),
      DROP CONSTRAINT media_purpose_check,
      ADD CONSTRAINT media_purpose_check CHECK (purpose IN ('AVATAR', 'PRODUCT'));
  `);
}

/** What participations change of their strategy, and what says only when something changed. */
const COUNTERS = `'{reserved_minor,total_participants,total_invested_minor,active_participations,historical_returns,updated_at}'::text[]`;

interface Announcing {
  table: string;
  update: string;
  insertOrDelete: string;
}

const ROWS = 'announce_strategy_rows';
const DOCUMENTS = 'announce_strategy_documents';

const TABLES: readonly Announcing[] = [
  { table: 'investment_categories', update: ROWS, insertOrDelete: ROWS },
  { table: 'investment_strategies', update: 'announce_strategy_updates', insertOrDelete: ROWS },
  { table: 'investment_strategy_documents', update: DOCUMENTS, insertOrDelete: DOCUMENTS },
];

const EVENTS = [
  { event: 'insert', rows: 'REFERENCING NEW TABLE AS new_rows' },
  { event: 'update', rows: 'REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows' },
  { event: 'delete', rows: 'REFERENCING OLD TABLE AS old_rows' },
  { event: 'truncate', rows: '' },
] as const;

/** An emptied table changes everything, so that the catalogue's own function announces it. */
const triggersOf = ({ table, update, insertOrDelete }: Announcing): string =>
  EVENTS.map(({ event, rows }) => {
    const procedure =
      event === 'truncate' ? 'announce_catalogue_rows' : event === 'update' ? update : insertOrDelete;
    return `
      CREATE TRIGGER ${table}_announce_${event} AFTER ${event.toUpperCase()} ON ${table}
        ${rows} FOR EACH STATEMENT EXECUTE FUNCTION ${procedure}();`;
  }).join('');
