import { execute } from '../../../db/sql/query';
import { topUp } from '../../support/builders/wallets/top-ups';
import { withPayments } from '../../support/builders/wallets/paid-for';
import { casesOf, copied, guardsAmong, ID, refusedBy, type Violating } from '../../support/checks/guards';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
/** The table of migration 0071, and what it has added to the tables of payments. */
const PATTERNS = [
  /^top_ups /,
  /^(chargebacks|payment_\w+) \w+_(top_up_sequence_key|(one_paid|one_applied)_top_up_key|top_up_fkey)$/,
];
const guards = guardsAmong(PATTERNS, ['CHECK', 'UNIQUE', 'CREATE UNIQUE']);
const references = guardsAmong(PATTERNS, ['FOREIGN KEY']);

const waits = (change: string): string => `UPDATE top_ups SET ${change} WHERE status = 'PENDING_PAYMENT'`;
const paid = (change: string): string => `UPDATE top_ups SET ${change} WHERE status = 'PAID'`;

const violating: Violating = {
  payment_attempts_one_paid_top_up_key: [
    `WITH paid AS (UPDATE payment_attempts SET status = 'PAID')
     ${copied('payment_attempts', { ...ID, sequence: '9', status: `'PAID'` })}`,
  ],
  payment_attempts_top_up_sequence_key: [copied('payment_attempts', ID)],
  payment_captures_one_applied_top_up_key: [
    copied('payment_captures', { ...ID, provider_payment_id: `'other'` }),
  ],
  top_ups_amount_check: [0, 1_000_000_000_000].map((minor) => waits(`amount_minor = ${minor}`)),
  top_ups_currency_check: ['usd', 'US', 'USDT'].map((text) => waits(`currency = '${text}'`)),
  top_ups_ended_check: [
    waits('ended_at = now()'),
    waits(`status = 'CANCELLED', payment_status = 'FAILED'`),
    paid('ended_at = NULL'),
  ],
  top_ups_number_key: [`UPDATE top_ups SET number = 'TOP-1'`],
  top_ups_paid_check: [
    waits('paid_at = now()'),
    waits(`payment_status = 'PAID'`),
    waits(`status = 'PAID', ended_at = now(), payment_status = 'PAID'`),
    paid('paid_at = NULL'),
    ...['PENDING', 'FAILED', 'REFUNDED'].map((status) => paid(`payment_status = '${status}'`)),
  ],
  top_ups_payment_method_check: [waits(`payment_method = 'BALANCE'`)],
  top_ups_payment_status_check: [waits(`payment_status = 'LOST'`)],
  top_ups_status_check: [waits(`status = 'LOST', ended_at = now()`)],
};

beforeAll(async () => {
  await withPayments(own.db);
  const { id } = await topUp(own.db);
  await execute(
    own.db,
    `UPDATE top_ups SET status = 'PAID', payment_status = 'PAID', paid_at = now(), ended_at = now() WHERE id = $1`,
    [id],
  );
});

test('every CHECK and key of top-ups is violated by a case below, and no case is left over', () => {
  expect(Object.keys(violating).sort()).toEqual(guards.map(({ name }) => name).sort());
  expect(references).toHaveLength(5);
});

// Of the role that may do everything else.
test.each(casesOf(violating))('%s refuses %s', async (name, statement) => {
  expect(await refusedBy(own.owner, statement, name)).toBe(name);
});

test.each(references)('$name refuses what it does not know', async ({ table, name, definition }) => {
  const [, column = ''] = /^FOREIGN KEY \((\w+)\)/.exec(definition) ?? [];
  const statement = `UPDATE ${table} SET ${column} = gen_random_uuid() WHERE ${column} IS NOT NULL`;
  expect(await refusedBy(own.owner, statement, name)).toBe(name);
});

test.each(['payment_attempts', 'payment_captures', 'payment_refunds', 'chargebacks'])(
  'a row of %s belongs to one thing',
  async (table) => {
    const name = `${table}_payable_check`;
    expect(await refusedBy(own.owner, `UPDATE ${table} SET top_up_id = NULL`, name)).toBe(name);
  },
);
