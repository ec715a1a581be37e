import { triggersOf, type Announcing } from '../0010-catalogue/announcing';

/** The columns that participations change of their strategy, and that of the time of a change. */
const COUNTERS = `'{reserved_minor,total_participants,total_invested_minor,active_participations,historical_returns,updated_at}'::text[]`;

const ROWS = 'announce_strategy_rows';
const DOCUMENTS = 'announce_strategy_documents';

const TABLES: readonly Announcing[] = [
  { table: 'investment_categories', update: ROWS, insertOrDelete: ROWS },
  { table: 'investment_strategies', update: 'announce_strategy_updates', insertOrDelete: ROWS },
  { table: 'investment_strategy_documents', update: DOCUMENTS, insertOrDelete: DOCUMENTS },
];

/**
 * Strategies as a part of the catalogue: changes of all that visitors see of them are announced.
 *
 * Tags: `strategies` (texts, terms, the set of strategies and categories); a strategy's id (its own page: capacity,
 * popularity, returns by month, documents); `invested:<id>` (its popularity, which lists show); `investments` (the
 * order by popularity). A reservation therefore makes only one page stale, whose response costs one indexed read.
 */
export const CHANGES = `
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
`;
