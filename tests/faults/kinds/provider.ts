import { setTimeout as pause } from 'node:timers/promises';
import { v7 } from 'uuid';
import { execute, firstRow, rows } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { Fault, FaultContext } from '../fault';
import { decide, listed } from '../scenario/operations';
import { report } from '../requests/webhook';
import { seen } from './moments';

/** Journeys that send money back. */
const refunds = { paysTwice: 50, paysThenCancels: 50, paysLate: 20, returnsGoods: 40 };

/**
 * The commit of a transaction that wrote into the table arrives; its answer does not. For the provider's own tables it
 * means that it acted and we got no answer.
 */
const lostCommit = (name: string, table: string, times: number): Fault => ({
  name,
  journeys: refunds,
  async inject({ stack, load }) {
    let left = times;
    const named = new RegExp(`(statement_\\d+)\0[^\0]*INSERT INTO ${table}\\b`);
    // Statements are named once on a connection and go by that name from then on, so connections have to be new.
    stack.links.workerDatabase.resetAll();
    stack.links.workerDatabase.betray((chunk, { noticed }) => {
      if (left === 0) return false;
      const text = chunk.toString('latin1');
      const name = named.exec(text)?.[1];
      if (name !== undefined) noticed.add(name);
      if ([...noticed].some((known) => text.includes(`\0${known}\0`))) noticed.add('written');
      if (!noticed.has('written') || !text.includes('COMMIT')) return false;
      left--;
      return true;
    });
    await Promise.race([load, pause(15_000)]);
    if (left === times) throw new Error(`nothing was written into ${table}`);
  },
});

/** Its first tries fail. A sequence counts them, since it forgets nothing when a transaction is rolled back. */
const failsThenAnswers: Fault = {
  name: 'provider fails, then answers',
  journeys: refunds,
  async inject({ stack, random, load }) {
    const every = random.int(2, 4);
    await execute(stack.db, 'CREATE SEQUENCE fault_tries');
    await execute(
      stack.db,
      `CREATE FUNCTION fault_fails() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN
         IF nextval(''fault_tries'') % ${every} <> 0 THEN RAISE EXCEPTION ''HTTP 500''; END IF;
         RETURN NEW; END'`,
    );
    await execute(
      stack.db,
      'CREATE TRIGGER fault_fails BEFORE INSERT ON sandbox_refunds FOR EACH ROW EXECUTE FUNCTION fault_fails()',
    );
    await Promise.race([load, pause(12_000)]);
    await execute(stack.db, 'DROP FUNCTION fault_fails CASCADE');
    await execute(stack.db, 'DROP SEQUENCE fault_tries');
  },
};

const neverAnswers: Fault = {
  name: 'provider never answers',
  journeys: refunds,
  async inject({ stack, random }) {
    await pause(random.int(500, 1_500));
    await inTransaction(stack.db, async (tx) => {
      await execute(tx, 'LOCK TABLE sandbox_refunds IN ACCESS EXCLUSIVE MODE');
      await pause(random.int(3_000, 14_000));
    });
  },
};

const nonsense: readonly string[] = [
  '',
  '{',
  'null',
  '[]',
  '{"type":"payment.paid"}',
  '{"type":"payment.paid","data":null}',
  '{"type":"payment.paid","data":{"key":"x","paymentId":"","amountMinor":-1,"currency":"usd"}}',
  '{"type":"something.else","data":{}}',
  `{"type":"${'x'.repeat(500)}"}`,
  `{"type":"payment.paid","data":{"key":"${v7()}","paymentId":"p","amountMinor":1e300,"currency":"USD"}}`,
];

/** Nonsense that it sends is stored, refused or parked; it breaks and changes nothing. */
const talksNonsense: Fault = {
  name: 'provider talks nonsense',
  async inject({ stack, random }) {
    for (let i = 0; i < 40; i++) {
      const { status } = await report(stack.frontPort, v7(), random.pick(nonsense), {
        signed: random.chance(0.7),
      });
      if (status >= 500) throw new Error(`nonsense was answered ${status}`);
    }
  },
  expect: (context) => markUnreadableDead(context),
};

/** Nonsense that was accepted is parked; an operator abandons it. */
async function markUnreadableDead(context: FaultContext): Promise<string[]> {
  const problems: string[] = [];
  for (const workflowId of await listed(context)) {
    const decided = await decide(context, workflowId, 'abandon');
    if (decided !== 200) problems.push(`abandoning ${workflowId} was answered ${decided}`);
  }
  return problems;
}

/** A refund that the provider refuses is parked and listed, and proceeds when the cause is fixed. */
const refuses: Fault = {
  name: 'provider refuses a refund: parked, seen, mended, retried',
  journeys: { ...refunds, walksAway: 0 },
  async inject({ stack, load }) {
    await execute(
      stack.db,
      `CREATE FUNCTION fault_currency() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN
         UPDATE sandbox_payments SET currency = ''EUR'' WHERE id::text IN (
           SELECT provider_payment_id FROM payment_captures WHERE id = NEW.capture_id);
         RETURN NEW; END'`,
    );
    await execute(
      stack.db,
      'CREATE TRIGGER fault_currency AFTER INSERT ON payment_refunds FOR EACH ROW EXECUTE FUNCTION fault_currency()',
    );
    await load;
    await execute(stack.db, 'DROP FUNCTION fault_currency CASCADE');
  },
  async expect(context) {
    const { stack } = context;
    const open = await rows<{ id: string }>(
      stack.db,
      `SELECT id FROM payment_refunds WHERE status = 'PROCESSING'`,
    );
    if (open.length === 0) return ['no refund was refused'];
    const seenByOperators = await listed(context);
    const problems = open.flatMap(({ id }) =>
      seenByOperators.includes(`payment-refund:${id}`) ? [] : [`refund ${id} is parked and on no list`],
    );
    await execute(stack.db, `UPDATE sandbox_payments SET currency = 'USD' WHERE currency = 'EUR'`);
    for (const { id } of open) {
      const decided = await decide(context, `payment-refund:${id}`, 'retry');
      if (decided !== 200) problems.push(`retrying refund ${id} was answered ${decided}`);
    }
    const left = `SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM payment_refunds WHERE status = 'PROCESSING')`;
    if (!(await seen(stack.db, left))) problems.push('refunds that were retried are still under way');
    return problems;
  },
};

/** A report that cannot be read is parked, listed and abandoned; its order does not change. */
const unreadable: Fault = {
  name: 'poison report: parked, seen, given up',
  async inject({ stack }) {
    await seen(stack.db, 'SELECT 1 FROM payment_attempts WHERE created_at > $1', [new Date()]);
    const attempt = await firstRow<{ id: string; amount: number }>(
      stack.db,
      `SELECT id, amount_minor AS amount FROM payment_attempts WHERE provider = 'sandbox' ORDER BY created_at DESC LIMIT 1`,
    );
    const data = {
      key: attempt?.id,
      paymentId: v7(),
      amountMinor: attempt?.amount,
      currency: 'usd',
    };
    const body = JSON.stringify({ type: 'payment.paid', timestamp: new Date().toISOString(), data });
    const { status } = await report(stack.frontPort, v7(), body);
    if (status !== 202) throw new Error(`the unreadable report was answered ${status}`);
  },
  async expect(context) {
    if ((await listed(context)).length !== 1) return ['the unprocessable report is on no list'];
    return markUnreadableDead(context);
  },
};

/** Faults of the payment provider. */
export const provider: readonly Fault[] = [
  lostCommit('provider did it and its answer was lost', 'sandbox_refunds', 2),
  lostCommit('the answer to placing an order was lost', 'orders', 3),
  lostCommit('the answer to applying a payment was lost', 'payment_captures', 3),
  failsThenAnswers,
  neverAnswers,
  talksNonsense,
  refuses,
  unreadable,
];
