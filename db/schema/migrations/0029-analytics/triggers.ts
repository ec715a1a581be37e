import {
  ofCommissions,
  ofEndedCommissions,
  ofEndedParticipations,
  ofEndedPayouts,
  ofInvestments,
  ofPaidOrders,
  ofOpenPayouts,
  ofPartnerStates,
  ofPartners,
  ofPayouts,
  ofRefundedCategories,
  ofRefunds,
  ofRestoredCommissions,
  ofSoldCategories,
  ofVerifications,
} from './facts';

/** Stores facts for the next rollup. */
const keep = (facts: string): string => `
    INSERT INTO analytics_changes (figure, starts_at, currency, part, occurrences, amount_minor, seconds)
    SELECT figure, date_bin('15 minutes', at, 'epoch'), currency, part, sum(occurrences), sum(amount_minor), sum(seconds)
      FROM (${facts}) AS facts
     GROUP BY 1, 2, 3, 4 HAVING sum(occurrences) <> 0 OR sum(amount_minor) <> 0 OR sum(seconds) <> 0;`;

type Fact = (relation: string) => string;

const all = (facts: readonly Fact[], relation: string, sign = ''): string =>
  facts
    .map(
      (
        fact,
      ) => `SELECT figure, at, currency, part, ${sign}occurrences AS occurrences, ${sign}amount_minor AS amount_minor,
        ${sign}seconds AS seconds FROM (${fact(relation)}) AS fact`,
    )
    .join(' UNION ALL ');

const NEW = '(SELECT NEW.*)';
const OLD = '(SELECT OLD.*)';

/** The earliest of those that are paid, decided between two at once by the key. */
const DECIDE_FIRST = `
    IF NEW.type = 'order.paid' THEN
      INSERT INTO customer_first_orders (user_id, order_id)
      SELECT o.user_id, (SELECT p.id FROM orders p WHERE p.user_id = o.user_id AND p.paid_at IS NOT NULL
                          ORDER BY p.paid_at, p.id LIMIT 1)
        FROM orders o WHERE o.id = NEW.entity_id AND o.paid_at IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM customer_first_orders c WHERE c.user_id = o.user_id)
      ON CONFLICT DO NOTHING;
    END IF;`;

interface Watched {
  table: string;
  facts: readonly Fact[];
  /**
   * Facts by the type of an inserted row, instead of all of them. Each type has a statement of its own, so that PostgreSQL keeps
   * its plan: one that covers all looks so expensive that it would be planned anew for every row.
   */
  byType?: Readonly<Record<string, readonly Fact[]>>;
  /** Many rows are inserted by one statement. */
  many?: true;
  /** The condition of an inserted row that may be a fact. */
  when?: string;
  before?: string;
  /** The columns by which a change of a row is a fact, or another one. */
  changes?: readonly string[];
  /** Facts of rows of other tables that are counted with a changed row's columns. */
  alsoChanged?: readonly Fact[];
}

const OF_EVENTS: Readonly<Record<string, readonly Fact[]>> = {
  'order.paid': [ofPaidOrders, ofSoldCategories],
  'refund.completed': [ofRefunds, ofRefundedCategories],
  'kyc.submitted': [ofVerifications],
  'kyc.approved': [ofVerifications],
  'kyc.rejected': [ofVerifications],
};

/** The tables in whose rows facts are. */
const WATCHED: readonly Watched[] = [
  {
    table: 'domain_events',
    facts: [...new Set(Object.values(OF_EVENTS).flat())],
    byType: OF_EVENTS,
    before: DECIDE_FIRST,
    when: `NEW.type IN (${Object.keys(OF_EVENTS)
      .map((type) => `'${type}'`)
      .join(', ')})`,
    changes: ['type', 'entity_id', 'occurred_at', 'data'],
  },
  { table: 'investment_transactions', facts: [ofInvestments] },
  {
    table: 'participations',
    facts: [ofEndedParticipations],
    when: `NEW.status IN ('MATURED', 'WITHDRAWN')`,
    changes: ['status', 'ended_at', 'amount_minor', 'currency'],
  },
  { table: 'partners', facts: [ofPartners], many: true, changes: ['joined_at'] },
  { table: 'partner_state_changes', facts: [ofPartnerStates] },
  {
    table: 'partner_commissions',
    facts: [ofCommissions, ofEndedCommissions],
    many: true,
    changes: [
      ...[`(CASE WHEN %.status IN ('PAID', 'REVERSED') THEN %.status || %.processed_at END)`, 'paid_at'],
      ...['created_at', 'type', 'currency', 'gross_minor', 'reversal_of', 'rank_level'],
    ],
    alsoChanged: [(c) => ofRestoredCommissions('partner_commission_restorals', c)],
  },
  { table: 'partner_commission_restorals', facts: [ofRestoredCommissions] },
  {
    table: 'payouts',
    facts: [ofPayouts, ofEndedPayouts, ofOpenPayouts],
    changes: [
      'status',
      'approved_at',
      'processed_at',
      'ended_at',
      'created_at',
      'amount_minor',
      'currency',
      'method',
      'kind',
    ],
  },
];

const body = (name: string, statements: string): string => `
  CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    ${statements}
    RETURN NULL;
  END $$;`;

/** The trigger of new rows; its function stores their facts, in their transaction. */
function ofNew({ table, facts, byType, many, when, before = '' }: Watched): string {
  const name = `${table}_note`;
  const kept = byType
    ? Object.entries(byType)
        .map(([type, its]) => `IF NEW.type = '${type}' THEN ${keep(all(its, NEW))} END IF;`)
        .join('\n')
    : keep(all(facts, many ? 'added' : NEW));
  const each = many
    ? 'REFERENCING NEW TABLE AS added FOR EACH STATEMENT'
    : `FOR EACH ROW ${when ? `WHEN (${when})` : ''}`;
  return `${body(name, before + kept)}
    CREATE TRIGGER ${name} AFTER INSERT ON ${table} ${each} EXECUTE FUNCTION ${name}();`;
}

/** The trigger of changed rows; its function stores the facts that they are and those that they are no more. */
function ofChanged({ table, facts, changes, alsoChanged = [] }: Watched): string {
  if (!changes) return '';
  const its = [...facts, ...alsoChanged];
  const name = `${table}_note_change`;
  const columns = (row: 'OLD' | 'NEW'): string =>
    changes
      .map((column) => (column.includes('%') ? column.replaceAll('%', row) : `${row}.${column}`))
      .join(', ');
  return `${body(name, keep(`${all(its, NEW)} UNION ALL ${all(its, OLD, '-')}`))}
    CREATE TRIGGER ${name} AFTER UPDATE ON ${table} FOR EACH ROW
      WHEN ((${columns('OLD')}) IS DISTINCT FROM (${columns('NEW')})) EXECUTE FUNCTION ${name}();`;
}

/** The triggers that store every fact, and their functions. */
export const TRIGGERS = WATCHED.map((watched) => ofNew(watched) + ofChanged(watched)).join('\n');

export const DROP_TRIGGERS = WATCHED.flatMap(({ table, changes }) => [
  `DROP TRIGGER ${table}_note ON ${table}; DROP FUNCTION ${table}_note();`,
  changes ? `DROP TRIGGER ${table}_note_change ON ${table}; DROP FUNCTION ${table}_note_change();` : '',
]).join('\n');
