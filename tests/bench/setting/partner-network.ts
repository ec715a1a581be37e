import type { Client as Postgres } from 'pg';

/** The extent of the partner programme. Sales lie in one month, commissions are due. */
export interface NetworkSize {
  partners: number;
  sales: number;
  commissions: number;
}

const id = (kind: number, n: string): string => `bench_id(${kind}, ${n})`;
/** The `bench_id` kinds of the rows. */
const KIND = { user: 21, partner: 22, sale: 23, event: 24, commission: 25 } as const;
/** Partners of rank LEADER and higher: one in so many. */
const LEADERS = 50;

/**
 * Writes a network in which each partner refers one or two others: about 34 levels for a million. Without triggers and
 * foreign keys, since a million joins take an hour; so what triggers and the commission engine count is counted here.
 */
export async function addNetwork(
  sql: Postgres,
  { partners, sales, commissions }: NetworkSize,
): Promise<void> {
  await sql.query('SET session_replication_role = replica');
  await addPartners(sql, partners);
  await addSales(sql, partners, sales);
  await addCounts(sql);
  await addCommissions(sql, partners, commissions);
  await sql.query('SET session_replication_role = origin');
  await sql.query(
    `VACUUM (ANALYZE) users, partners, partner_standings, partner_sales, partner_commissions, ledger_balances,
       partner_descendants, partner_levels, partner_months`,
  );
}

async function addPartners(sql: Postgres, partners: number): Promise<void> {
  await sql.query(
    `INSERT INTO users (id, region, email, password_hash, status, first_name, last_name, kyc_level, kyc_status,
       email_verified_at, created_at, updated_at)
     SELECT ${id(KIND.user, 'n')}, 'EU', 'partner' || n || '@example.com', '-', 'ACTIVE', 'Paula', 'Partner', 'BASIC',
       'NOT_STARTED', now(), now(), now()
     FROM generate_series(1, $1::int) n`,
    [partners],
  );
  await sql.query(
    `INSERT INTO partners (id, user_id, referral_code, status, sponsor_id, joined_at, activated_at, number, path)
     OVERRIDING SYSTEM VALUE
     WITH RECURSIVE placed AS (
       SELECT 1 AS n, NULL::int AS sponsor, '1' AS path
       UNION ALL
       SELECT child, p.n, p.path || '.' || child FROM placed p
         CROSS JOIN LATERAL generate_series((3 * p.n + 1) / 2, (3 * p.n + 4) / 2 - 1) AS child
        WHERE child > p.n AND child <= $1::int
     )
     SELECT ${id(KIND.partner, 'n')}, ${id(KIND.user, 'n')}, 'B' || upper(lpad(to_hex(n), 7, '0')), 'ACTIVE',
       CASE WHEN sponsor IS NOT NULL THEN ${id(KIND.partner, 'sponsor')} END, now() - interval '2 years',
       now() - interval '2 years', n, path::ltree
     FROM placed`,
    [partners],
  );
  await sql.query(`SELECT setval(pg_get_serial_sequence('partners', 'number'), $1)`, [partners]);
  await sql.query(
    `INSERT INTO partner_standings (partner_id, sponsor_id, highest_rank_at, rank_level, highest_rank_level,
       network_rank_level, counted_at)
     SELECT id, sponsor_id, joined_at, rank, rank, rank, joined_at FROM (
       SELECT *, CASE WHEN number % ${LEADERS} = 0 THEN 3 + (number / ${LEADERS}) % 3 ELSE 1 + number % 2 END AS rank
       FROM partners
     ) p`,
  );
}

/** Of the month that closed last, spread over all partners. */
async function addSales(sql: Postgres, partners: number, sales: number): Promise<void> {
  await sql.query(
    `INSERT INTO partner_sales (id, event_id, kind, source_id, buyer_id, partner_id, base_minor, commission_weight,
       points_weight, points, currency, programme_version, occurred_at, counted_at)
     SELECT ${id(KIND.sale, 'n')}, ${id(KIND.event, 'n')}, CASE WHEN n % 20 = 0 THEN 'REFUND' ELSE 'ORDER' END,
       ${id(KIND.sale, 'n')}, ${id(KIND.user, '1')}, ${id(KIND.partner, `1 + ((n::bigint * 7919) % $1)::int`)},
       CASE WHEN n % 20 = 0 THEN -1000 ELSE 5000 + n % 20000 END, 0, 0, 0, 'USD', 1, at, at
     FROM generate_series(1, $2::int) n
       CROSS JOIN LATERAL (SELECT date_trunc('month', now()) - interval '1 day' - (n % 20) * interval '1 day' AS at) moment`,
    [partners, sales],
  );
}

async function addCommissions(sql: Postgres, partners: number, commissions: number): Promise<void> {
  await sql.query(
    `INSERT INTO partner_commissions (id, partner_id, type, source_type, source_id, level, programme_version, rank_level,
       base_minor, commission_weight, rate_bp, gross_minor, net_minor, currency, status, matures_at, created_at)
     SELECT ${id(KIND.commission, 'n')}, ${id(KIND.partner, `1 + ((n::bigint * 7919) % $1)::int`)}, 1, 'ORDER',
       ${id(KIND.sale, 'n')}, 1, 1, 1, 10000, 0, 5000, 500, 500, 'USD', 'PENDING',
       now() - (n % 86400) * interval '1 second', now() - interval '31 days'
     FROM generate_series(1, $2::int) n`,
    [partners, commissions],
  );
  await sql.query(
    `INSERT INTO ledger_balances (user_id, account, currency, balance_minor, updated_at)
     SELECT p.user_id, 'partner_pending', 'USD', sum(c.net_minor), now()
       FROM partner_commissions c JOIN partners p ON p.id = c.partner_id GROUP BY 1`,
  );
  // Nine of ten earned before, as in a programme that has gone on for a while.
  await sql.query(
    `INSERT INTO ledger_balances (user_id, account, currency, balance_minor, updated_at)
     SELECT user_id, 'partner_available', 'USD', 0, now() FROM partners WHERE number % 10 > 0`,
  );
}

/** The lists of networks, and what is counted over them: from the deepest partners up, so that each is looked at once. */
async function addCounts(sql: Postgres): Promise<void> {
  await sql.query(
    `INSERT INTO partner_descendants (ancestor_number, level, joined_at, partner_id)
     SELECT labels[cardinality(labels) - level]::bigint, level, p.joined_at, p.id
       FROM partners p CROSS JOIN LATERAL (SELECT string_to_array(ltree2text(p.path), '.') AS labels) above
         CROSS JOIN LATERAL generate_series(1, least(10, cardinality(labels) - 1)) AS level`,
  );
  await sql.query(
    `CREATE TEMPORARY TABLE placed AS
       SELECT p.id, p.sponsor_id, nlevel(p.path) AS depth, coalesce(s.own, 0)::bigint AS own FROM partners p LEFT JOIN (
         SELECT partner_id, sum(base_minor) AS own FROM partner_sales GROUP BY partner_id) s ON s.partner_id = p.id`,
  );
  await sql.query('CREATE INDEX ON placed (depth)');
  await sql.query('ANALYZE placed');
  const { rows } = await sql.query<{ deepest: number }>('SELECT max(depth)::int AS deepest FROM placed');
  for (let depth = rows[0]!.deepest; depth > 1; depth--)
    await sql.query(
      `INSERT INTO partner_levels (partner_id, level, partners, volume_minor)
       SELECT sponsor_id, level, sum(partners), sum(volume) FROM (
         SELECT sponsor_id, 1 AS level, 1 AS partners, own AS volume FROM placed WHERE depth = $1
         UNION ALL
         SELECT p.sponsor_id, l.level + 1, l.partners, l.volume_minor FROM placed p JOIN partner_levels l ON l.partner_id = p.id
          WHERE p.depth = $1
       ) below GROUP BY 1, 2`,
      [depth],
    );
  await sql.query(
    `UPDATE partner_standings s SET network_size = l.size, network_depth = l.depth, personal_volume_minor = p.own,
       group_volume_minor = p.own + l.volume
       FROM placed p LEFT JOIN LATERAL (
         SELECT coalesce(sum(partners), 0)::int AS size, coalesce(max(level), 0) AS depth,
                coalesce(sum(volume_minor), 0)::bigint AS volume FROM partner_levels WHERE partner_id = p.id
       ) l ON true WHERE p.id = s.partner_id`,
  );
  await sql.query(
    `INSERT INTO partner_months (partner_id, month, personal_points, group_points, personal_volume_minor, group_volume_minor)
     SELECT partner_id, (date_trunc('month', now()) - interval '1 month')::date, 0, 0, personal_volume_minor, group_volume_minor
       FROM partner_standings`,
  );
  await sql.query('DROP TABLE placed');
}
