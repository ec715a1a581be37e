import { randomUUID } from 'node:crypto';
import { factsOfStripeEvent } from '../../../../activities/providers/payments/stripe/webhook';
import { execute, type Tx } from '../../../../db/sql/query';
import { sessionObject, stripeEvent } from '../../../support/fakes/stripe-events';
import { change, find, type Proof } from '../proof';

const eventOf = (tx: Tx, orderId: string): Promise<string> =>
  find(
    tx,
    `SELECT w.id AS found FROM webhook_events w
       JOIN payment_captures c ON c.provider_payment_id = w.movement WHERE c.order_id = $1`,
    [orderId],
  );
const sessionOf = (tx: Tx, orderId: string): Promise<string> =>
  find(tx, `SELECT s.id AS found FROM sessions s JOIN orders o ON o.user_id = s.user_id WHERE o.id = $1`, [
    orderId,
  ]);

const YESTERDAY = `(date_bin('1 day', now() - interval '10 minutes', 'epoch') - interval '1 day')`;

/** Violations by providers, sessions, the outbox, the audit trail and figures. */
export const platformProofs: readonly Proof[] = [
  {
    invariant: 'bank-files.hold-their-transfers',
    how: 'a file whose transfer is not in it',
    async breaks(tx) {
      const id = randomUUID();
      await change(
        tx,
        `INSERT INTO bank_files (id, transfer_count, amount_minor, currency, made_by, made_at)
         VALUES ($1, 1, 5, 'USD', $1, now())`,
        [id],
      );
      return id;
    },
  },
  ...[
    { how: 'an event that was stored and forgotten', status: 'RECEIVED', age: '1 hour' },
    { how: 'an event that waits for ever', status: 'WAITING', age: '4 days' },
  ].map(({ how, status, age }) => ({
    invariant: 'webhooks.are-dealt-with',
    how,
    async breaks(...[tx, { orders }]: Parameters<Proof['breaks']>) {
      const event = await eventOf(tx, orders.paid);
      await change(
        tx,
        `UPDATE webhook_events SET status = $2, received_at = now() - $3::interval,
           started_at = now() - $3::interval WHERE id = $1`,
        [event, status, age],
      );
      return event;
    },
  })),
  {
    invariant: 'webhooks.have-their-effect',
    how: 'a processed report of money that nobody wrote down',
    async breaks(tx, { orders }) {
      const event = await eventOf(tx, orders.paid);
      await change(tx, `UPDATE payment_captures SET provider_payment_id = 'another' WHERE order_id = $1`, [
        orders.paid,
      ]);
      return event;
    },
  },
  {
    invariant: 'webhooks.have-their-effect',
    how: 'an event of Stripe, the same',
    async breaks(tx) {
      const body = stripeEvent('checkout.session.completed', sessionObject(randomUUID()));
      const facts = factsOfStripeEvent(body.type, body);
      await change(
        tx,
        `INSERT INTO webhook_events (id, provider, external_event_id, type, body, body_hash, status, received_at, subject,
           movement, outcome)
         VALUES (gen_random_uuid(), 'stripe', $1, $2, $3, '', 'PROCESSED', now(), $4, $5, $6)`,
        [body.id, body.type, JSON.stringify(body), facts.subject, facts.movement, facts.outcome],
      );
      return find(tx, 'SELECT id AS found FROM webhook_events WHERE external_event_id = $1', [body.id]);
    },
  },
  {
    invariant: 'sandbox.pays-back-once',
    how: 'a refund that we never asked for',
    async breaks(tx, { orders }) {
      await change(
        tx,
        `INSERT INTO sandbox_refunds (key, id, payment_id, amount_minor, currency, created_at)
         SELECT 'stray', gen_random_uuid(), provider_payment_id, 1, 'USD', now() FROM payment_captures WHERE order_id = $1`,
        [orders.paid],
      );
      return 'stray';
    },
  },
  {
    invariant: 'sandbox.pays-back-once',
    how: 'a refund that we hold for done and that never was',
    async breaks(tx, { orders }) {
      const refund = await find(tx, `SELECT id AS found FROM payment_refunds WHERE order_id = $1`, [
        orders.returned,
      ]);
      await change(tx, `DELETE FROM sandbox_refunds WHERE key = $1`, [`${refund}:1`]);
      return refund;
    },
  },
  {
    invariant: 'sandbox.pays-back-once',
    how: 'more sent back than was brought',
    async breaks(tx, { orders }) {
      const payment = await find(
        tx,
        `SELECT provider_payment_id AS found FROM payment_captures WHERE order_id = $1`,
        [orders.returned],
      );
      await change(tx, `UPDATE sandbox_payments SET amount_minor = amount_minor - 1 WHERE id = $1`, [
        payment,
      ]);
      return payment;
    },
  },
  {
    invariant: 'sessions.are-of-active-users',
    how: 'somebody suspended who is still signed in',
    async breaks(tx, { orders }) {
      const session = await sessionOf(tx, orders.paid);
      await change(
        tx,
        `UPDATE users SET status = 'SUSPENDED' WHERE id = (SELECT user_id FROM sessions WHERE id = $1)`,
        [session],
      );
      return session;
    },
  },
  {
    invariant: 'sessions.have-one-live-token',
    how: 'two tokens that can both be used',
    async breaks(tx, { orders }) {
      const session = await sessionOf(tx, orders.paid);
      await execute(tx, 'DROP INDEX refresh_tokens_one_live_key');
      await change(tx, `INSERT INTO refresh_tokens VALUES ('forged', $1, now(), now() + interval '1 day')`, [
        session,
      ]);
      return session;
    },
  },
  {
    invariant: 'mailed-tokens.one-is-live',
    how: 'two mails that both let a password be changed',
    async breaks(tx, { orders }) {
      const user = await find(tx, 'SELECT user_id AS found FROM orders WHERE id = $1', [orders.paid]);
      await execute(tx, 'DROP INDEX mailed_tokens_one_live_key');
      await change(
        tx,
        `INSERT INTO mailed_tokens (id, user_id, purpose, token_hash, created_at, expires_at)
         SELECT gen_random_uuid(), $1, 'RESET_PASSWORD', 'forged ' || n, now(), now() + interval '1 hour'
           FROM generate_series(1, 2) AS n`,
        [user],
      );
      return user;
    },
  },
  {
    invariant: 'outbox.goes-out',
    how: 'a mail that nobody takes up',
    async breaks(tx, { orders }) {
      const mail = await find(tx, `SELECT id AS found FROM outbox_messages WHERE reference = $1`, [
        `order:${orders.paid}:paid`,
      ]);
      await change(tx, `UPDATE outbox_messages SET due_at = now() - interval '11 minutes' WHERE id = $1`, [
        mail,
      ]);
      return mail;
    },
  },
  {
    invariant: 'audit.chain-holds',
    how: 'a record that was rewritten',
    async breaks(tx, { orders }) {
      const record = await find(tx, `SELECT id AS found FROM audit_records WHERE entity_id = $1`, [
        orders.byTransfer,
      ]);
      await change(tx, `UPDATE audit_records SET actor_id = NULL WHERE id = $1`, [record]);
      return record;
    },
  },
  {
    invariant: 'analytics.equal-their-source',
    how: 'a sale of yesterday that one span counts and that never was',
    async breaks(tx) {
      await change(
        tx,
        `INSERT INTO analytics_rollups (figure, span_minutes, starts_at, currency, part, occurrences, amount_minor, seconds)
         VALUES ('sale', 15, ${YESTERDAY} + interval '3 hours', 'EUR', 'CARD', 1, 100, 0)`,
      );
      return find(
        tx,
        `SELECT 'sale CARD from ' || to_char(${YESTERDAY} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') AS found`,
      );
    },
  },
];
