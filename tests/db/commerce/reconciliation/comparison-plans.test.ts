import { QueryTypes, type Transaction } from 'sequelize';
import { compareDay } from '../../../../activities/commerce/reconciliation/compare-day';
import { beginReading, recordMovements } from '../../../../db/commerce/reconciliation/reading.transitions';
import { policyFrom } from '../../../../db/policy/config';
import { execute, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { utcDay } from '../../../../workflows/commerce/reconciliation/reconciliation.rules';
import { make } from '../../../support/builders/make';
import { utcDayAgo } from '../../../support/builders/make/reconciliations';
import { vacuum } from '../../../support/cost/vacuum';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();
const ROWS = 20_000;
const CODE = 'sandbox';
const DAY = utcDayAgo(3);

/** The tables that grow with the business. */
const BIG = [
  'payment_captures',
  'payment_refunds',
  'chargebacks',
  'investment_withdrawals',
  'payouts',
  'ledger_transfers',
  'ledger_entries',
  'provider_movements',
] as const;

/** An id of the row number n, the same in every table. */
const ID = `('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;
/** One row each six hours, the last of them now. */
const AT = `(now() - (${ROWS} - n) * interval '6 hours')`;
const from = `FROM generate_series(1, ${ROWS}) AS n`;

/** Years of movements of ours with the provider, and weeks of its own. */
const YEARS = [
  `INSERT INTO payment_captures (id, attempt_id, participation_id, provider, provider_payment_id, amount_minor, currency,
     applied, captured_at) SELECT ${ID}, ${ID}, ${ID}, '${CODE}', 'p' || n, 100, 'USD', false, ${AT} ${from}`,
  `INSERT INTO payment_refunds (id, participation_id, capture_id, reason, amount_minor, currency, status, provider_refund_id,
     created_at, completed_at, asked_at)
   SELECT ${ID}, ${ID}, ${ID}, 'CANCELLATION', 50, 'USD', 'COMPLETED', 'r' || n, ${AT}, ${AT}, ${AT} ${from}`,
  `INSERT INTO chargebacks (id, participation_id, capture_id, provider, provider_chargeback_id, amount_minor, currency,
     status, created_at, updated_at)
   SELECT ${ID}, ${ID}, ${ID}, '${CODE}', 'd' || n, 50, 'USD', (ARRAY['TAKEN', 'RETURNED'])[n % 2 + 1], ${AT}, ${AT} ${from}`,
  `INSERT INTO investment_withdrawals (id, participation_id, user_id, method, status, principal_minor, returns_minor,
     penalty_minor, net_minor, currency, provider, asked_provider, transfer_reference, sendings, asked_at, ended_at,
     created_at, estimated_on)
   SELECT ${ID}, ${ID}, ${ID}, 'BANK_CARD', 'COMPLETED', 50, 0, 0, 50, 'USD', '${CODE}', '${CODE}', 'w' || n, 1, ${AT}, ${AT}, ${AT},
     current_date ${from}`,
  `INSERT INTO payouts (id, kind, user_id, amount_minor, currency, method, masked_details, status, provider, sendings,
     transfer_reference, approved_by, approved_at, processed_by, processed_at, created_at, ended_at)
   SELECT ${ID}, 'WALLET', ${ID}, 50, 'USD', 'CARD', '…', 'COMPLETED', '${CODE}', 1, 't' || n, ${ID}, ${AT}, ${ID}, ${AT},
     ${AT}, ${AT} ${from}`,
  `INSERT INTO ledger_transfers (id, kind, subject_id, created_at) SELECT ${ID}, 'capture', 'made:' || n, ${AT} ${from}`,
  `INSERT INTO ledger_entries (transfer_id, account, currency, amount_minor, created_at)
   SELECT ${ID}, account, 'USD', 1, ${AT} ${from}, unnest(ARRAY['clearing_${CODE}', 'payments']) AS account`,
  `INSERT INTO provider_reconciliations (id, provider, day, reading, started_at, read_at, compared_at)
   SELECT gen_random_uuid(), '${CODE}', current_date - n, 1, now(), now(), now() FROM generate_series(4, 34) AS n`,
  `INSERT INTO provider_movements (provider, day, reading, kind, provider_id, reference, amount_minor, currency, occurred_at)
   SELECT '${CODE}', current_date - 4 - n % 30, 1, 'CAPTURE', 'p' || n, n, 100, 'USD', ${AT} ${from}`,
];

beforeAll(async () => {
  await inTransaction(own.owner, async (tx) => {
    await execute(tx, 'SET LOCAL session_replication_role = replica');
    for (const statement of YEARS) await execute(tx, statement);
  });
  await vacuum(own.owner, ...BIG);
});

/** The plans of the statements of some work, each made just before it is executed, with the tables that it finds then. */
async function plansOfTransaction(work: () => Promise<unknown>): Promise<string[]> {
  const plans: string[] = [];
  const { sequelize } = own.db;
  const query = sequelize.query.bind(sequelize) as (
    text: string,
    options: { bind?: unknown[]; transaction?: Transaction; type?: QueryTypes },
  ) => Promise<unknown>;
  const sent = jest.spyOn(sequelize, 'query').mockImplementation((async (
    text: string,
    options: { bind?: unknown[]; transaction?: Transaction },
  ) => {
    if (/^\s*(INSERT|UPDATE|DELETE|SELECT|WITH)/.test(text)) {
      const { bind, transaction } = options;
      const lines = await query(`EXPLAIN ${text}`, {
        ...{ bind: bind ?? [], type: QueryTypes.SELECT },
        ...(transaction && { transaction }),
      });
      plans.push((lines as { 'QUERY PLAN': string }[]).map((line) => line['QUERY PLAN']).join('\n'));
    }
    return query(text, options);
  }) as unknown as typeof sequelize.query);
  await work();
  sent.mockRestore();
  return plans;
}

test('a comparison reads no table that grows as a whole, whatever it looks for', async () => {
  const { db } = own;
  const now = new Date();
  const reading = await inTransaction(db, (tx) => beginReading(tx, { provider: CODE, day: DAY, at: now }));
  const money = { chargebackId: null, reverses: null, amountMinor: 50, currency: 'USD', occurredAt: now };
  const n = '00000000-0000-4000-8000-000000000005';
  await inTransaction(db, (tx) =>
    recordMovements(tx, reading, [
      { kind: 'CAPTURE', providerId: 'p7', reference: n, ...money },
      { kind: 'REFUND', providerId: 'r7', reference: n, ...money },
      { kind: 'CHARGEBACK', providerId: 'txn_1', reference: null, ...money, chargebackId: 'd7' },
      { kind: 'CHARGEBACK_RETURNED', providerId: 'txn_2', reference: null, ...money, chargebackId: 'd9' },
      { kind: 'TRANSFER_OUT', providerId: 't7', reference: `${n}:2`, ...money },
      { kind: 'FEE', providerId: 'fee', reference: null, ...money },
      { kind: 'FEE', providerId: 'txn_1', reference: 'd7', ...money },
    ]),
  );
  await make.difference(db, { provider: CODE, day: utcDayAgo(1) });
  await execute(
    own.db,
    `INSERT INTO reconciliation_differences (id, run_id, provider, day, kind, our_id, our_minor, our_currency, their_minor,
       their_currency, found_at, last_seen_at)
     SELECT gen_random_uuid(), r.id, '${CODE}', r.day, 'CLEARING', r.day || ' USD', 1, 'USD', 0, 'USD', now(), now()
     FROM provider_reconciliations r WHERE r.provider = '${CODE}' ORDER BY day DESC LIMIT 5`,
  );
  const { signal } = new AbortController();
  const plans = await plansOfTransaction(() =>
    compareDay(
      { db, signal, policy: policyFrom({}) },
      { ...reading, ...utcDay(DAY)!, provider: CODE, day: DAY, at: now },
    ),
  );
  expect(plans.length).toBeGreaterThan(10);
  for (const plan of plans)
    for (const name of BIG) expect(plan).not.toMatch(new RegExp(`Seq Scan on ${name}\\b`));
  const kinds = await rows<{ kind: string }>(
    db,
    'SELECT DISTINCT kind FROM reconciliation_differences ORDER BY kind',
  );
  expect(kinds.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['AMOUNT', 'CLEARING', 'MISSING_HERE', 'MISSING_THERE']),
  );
});
