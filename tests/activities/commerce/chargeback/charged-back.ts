import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { v7 } from 'uuid';
import { rows, type Db } from '../../../../db/sql/query';
import type { SentRefund } from '../../../../workflows/commerce/refund/payment-refund.contract';
import type { ChargebackReportType } from '../../../../workflows/commerce/payment/payment-report.rules';
import { FakeBank } from '../../../support/fakes/fake-bank';
import { make } from '../../../support/builders/make';
import { noteOf, orderSteps } from '../../../support/builders/ordering';
import { stored } from './chargebacks';
import { given } from '../../../support/builders/given';

const logger = new DefaultLogger('ERROR');
type Order = Parameters<typeof stored>[2];

export const now = (): string => new Date().toISOString();

/** Orders of a payment company of their own, and a bank that disputes their payments. */
export function disputes(own: { readonly db: Db }) {
  let bank = new FakeBank();
  beforeEach(() => {
    bank = new FakeBank();
  });
  const steps = () => orderSteps(own.db, bank);
  const send = (refundId: string, attempt = 1): Promise<SentRefund> =>
    new MockActivityEnvironment({ attempt }, { logger }).run(steps().sendRefund, {
      refundId,
      again: false,
      at: now(),
    });

  /** The bank acts on one chargeback of an order, as its provider reports; answers what came of it. */
  async function bankActs(order: Order, type: ChargebackReportType, amountMinor: number, name = 'one') {
    const change = { chargebackId: name, amountMinor, provider: bank.code };
    const webhookEventId = await stored(own.db, type, order, change);
    return steps().applyPaymentEvent({ webhookEventId, at: now() });
  }

  async function lose(order: Order, amountMinor: number, name = 'one') {
    await bankActs(order, 'payment.charged_back', amountMinor, name);
    return bankActs(order, 'payment.chargeback_lost', amountMinor, name);
  }

  /** The refunds of an order, as `<amount> <status>`, the oldest first. */
  const refundsOf = async ({ orderId }: { orderId: string }): Promise<string[]> => {
    const found = await rows<{ refund: string }>(
      own.db,
      `SELECT amount_minor || ' ' || status AS refund FROM payment_refunds WHERE order_id = $1
     ORDER BY created_at, coalesce(split_from, id), split_from IS NOT NULL, id`,
      [orderId],
    );
    return found.map(({ refund }) => refund);
  };

  /** The balances of an order in the accounts of refunds owed and of losses. */
  const accountsOf = async ({ orderId }: { orderId: string }) => {
    const found = await rows<{ account: string; minor: number }>(
      own.db,
      `SELECT e.account, sum(e.amount_minor)::bigint AS minor FROM ledger_entries e
     JOIN ledger_transfers t ON t.id = e.transfer_id
     WHERE e.account IN ('refunds', 'losses') AND t.subject_id::uuid IN (
       SELECT $1::uuid UNION SELECT id FROM payment_refunds WHERE order_id = $1
       UNION SELECT id FROM refund_requests WHERE order_id = $1
       UNION SELECT id FROM chargebacks WHERE order_id = $1 UNION SELECT id FROM payment_captures WHERE order_id = $1)
     GROUP BY 1`,
      [orderId],
    );
    return {
      refunds: 0,
      losses: 0,
      ...Object.fromEntries(found.map(({ account, minor }) => [account, minor])),
    };
  };

  const mailsOf = async (refundId: string): Promise<string[]> => {
    const found = await rows<{ reference: string }>(
      own.db,
      'SELECT reference FROM outbox_messages WHERE reference LIKE $1 ORDER BY id',
      [`payment-refund:${refundId}:%`],
    );
    return found.map(({ reference }) => reference.split(':')[2]!);
  };

  /** An order of 50.00 whose money goes back by two refunds: 30.00 by an administrator, 20.00 since it was cancelled. */
  async function twoRefunds() {
    const order = await given(own.db).order({ provider: bank }).paid();
    const noteId = await noteOf(own.db, (await make.admin(own.db)).id, 'A scratch.');
    const asked = { items: null, amountMinor: 3_000, includeShipping: false, noteId, at: now() };
    const { orderId, userId } = order;
    const by = await steps().refundOrder({ refundRequestId: v7(), orderId, userId, ...asked });
    const cancelled = await steps().cancelOrder({
      orderId,
      noteId: await noteOf(own.db, userId, 'No.'),
      at: now(),
    });
    return { ...order, refundIds: [by.refundsDue[0]!.refundId, cancelled.refundsDue[0]!.refundId] };
  }

  return { bank: () => bank, steps, send, bankActs, lose, refundsOf, accountsOf, mailsOf, twoRefunds };
}
