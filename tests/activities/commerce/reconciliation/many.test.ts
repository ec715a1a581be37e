import { execute, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { ownDatabase } from '../../../support/servers/database';
import { at, comparing, DAY, dayBeside, TheirStatement } from './their-statement';

const own = ownDatabase();
const CODE = 'many';
const EACH = 10_000;
const TWICE = 2_000;

/** A key of ours, by the number of its capture. */
const KEY = `('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;

/** Captures of the day that both sides have, as many that only we have, and fees; with what is needed of the ledger. */
async function insertOurs(): Promise<void> {
  await inTransaction(own.owner, async (tx) => {
    await execute(tx, 'SET LOCAL session_replication_role = replica');
    await execute(
      tx,
      `INSERT INTO payment_captures (id, attempt_id, participation_id, provider, provider_payment_id, amount_minor,
         currency, applied, captured_at)
       SELECT gen_random_uuid(), ${KEY}, gen_random_uuid(), $1, 'p' || n, 100, 'USD', false,
         $2::timestamptz + n * interval '1 second' FROM generate_series(1, ${2 * EACH}) AS n`,
      [CODE, at(8)],
    );
  });
}

/** Those that both have, as many that only the provider has, and some of the first ones for a second time. */
const insertTheirs = () =>
  execute(
    own.db,
    `INSERT INTO provider_movements (provider, day, reading, kind, provider_id, reference, amount_minor, currency, occurred_at)
     SELECT $1, $2, 1, 'CAPTURE', CASE WHEN n > ${3 * EACH} THEN 'again' ELSE 'p' END || n,
       (SELECT ${KEY}::text FROM (SELECT CASE WHEN n > ${3 * EACH} THEN n - ${2 * EACH} ELSE n END AS n) AS named),
       100, 'USD', $3::timestamptz + n * interval '1 second'
     FROM generate_series(${EACH} + 1, ${3 * EACH + TWICE}) AS n`,
    [CODE, DAY, at(8)],
  );

const found = () =>
  rows(
    own.db,
    `SELECT kind, count(*)::int AS count FROM reconciliation_differences WHERE provider = $1 AND resolved_at IS NULL
      GROUP BY kind ORDER BY kind`,
    [CODE],
  );

test('a day on which very many movements are missing is compared, and so is the one after it', async () => {
  await insertOurs();
  const { begin, compare, run } = comparing(own.db, new TheirStatement(CODE));
  await run(dayBeside(-1));
  const of = { provider: CODE, day: DAY, ...(await begin(DAY)) };
  await insertTheirs();
  const differences = await compare(of);
  const expected = [
    { kind: 'CLEARING', count: 1 },
    { kind: 'MISSING_HERE', count: EACH },
    { kind: 'MISSING_THERE', count: EACH },
    { kind: 'TWICE', count: TWICE },
  ];
  expect(await found()).toEqual(expected);
  expect(differences).toBe(2 * EACH + TWICE + 1);
  // All of these are looked at again.
  expect(await run(dayBeside(1))).toBe(differences);
  expect(await found()).toEqual(expected);
});
