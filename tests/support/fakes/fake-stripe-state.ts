import { randomBytes } from 'node:crypto';
import type { Refund, Session, Transfer } from './stripe-objects';
import { listTransactions, type BalanceTransaction } from './stripe-balance';

/** A request that Stripe refuses, with the code of its error. */
export class StripeRefusal extends Error {
  constructor(
    message: string,
    readonly code?: string,
  ) {
    super(message);
  }
}

const someId = (prefix: string): string => `${prefix}_${randomBytes(8).toString('hex')}`;

/** The state of a Stripe account: sessions, their payments, and refunds. */
export class FakeStripeState {
  readonly sessions: Session[] = [];
  readonly refunds: Refund[] = [];
  /** The ids of payments that another system has opened in the account. */
  readonly foreign: string[] = [];
  readonly transfers: Transfer[] = [];
  balanceMinor = 1_000_000_000;
  /** The transactions of the account's balance, in the order in which they were made. */
  readonly balance: BalanceTransaction[] = [];
  /** The status that new refunds get. */
  refundsAre: Refund['status'] = 'succeeded';

  /** Carries a request out; answers the object it made or found. Throws StripeRefusal. */
  carryOut(request: string, form: URLSearchParams): unknown {
    const [, id = '', doing] = /\/v1\/checkout\/sessions\/([^/]+)(\/expire)?$/.exec(request) ?? [];
    if (doing) return this.expire(id);
    if (id) return this.session(id);
    if (request === 'POST /v1/checkout/sessions') return this.open(form);
    if (request === 'POST /v1/refunds') return this.refund(form);
    if (request === 'GET /v1/refunds') return list(this.refundsOf(form.get('payment_intent')));
    if (request === 'GET /v1/balance_transactions') return listTransactions(this.balance, form);
    if (request.startsWith('GET /v1/payment_intents/pi_')) return this.payment(request.split('/').at(-1)!);
    if (request === 'GET /v1/payment_intents/search') return this.search(form.get('query') ?? '');
    if (request === 'POST /v1/transfers') return this.transfer(form);
    if (request === 'GET /v1/transfers') return list(this.transfersOf(form.get('transfer_group')));
    throw new StripeRefusal(`Unrecognized request: ${request}`);
  }

  /** Pays a session as the buyer does on its page; answers the payment's id. */
  pay(sessionId: string): string {
    const session = this.session(sessionId);
    if (session.status !== 'open') throw new Error(`${sessionId} is ${session.status}.`);
    const payment_intent = someId('pi');
    Object.assign(session, { status: 'complete', payment_status: 'paid', payment_intent, url: null });
    return payment_intent;
  }

  /** The session of one of our attempts. Throws unless there is exactly one. */
  sessionOf(attemptId: string): Session {
    const found = this.sessions.filter((session) => session.client_reference_id === attemptId);
    if (found.length !== 1) throw new Error(`Attempt ${attemptId} has ${found.length} sessions.`);
    return found[0]!;
  }

  private session(id: string): Session {
    const session = this.sessions.find((one) => one.id === id);
    if (!session) throw new StripeRefusal(`No such checkout.session: '${id}'`);
    return session;
  }

  private open(form: URLSearchParams): Session {
    const amount = Number(form.get('line_items[0][price_data][unit_amount]'));
    const expires_at = Number(form.get('expires_at'));
    const minutes = (expires_at * 1_000 - Date.now()) / 60_000;
    if (amount < 50) throw new StripeRefusal('The total amount must be at least 50 cents.');
    if (minutes < 30 || minutes > 24 * 60)
      throw new StripeRefusal('expires_at must be between 30 minutes and 24 hours from now.');
    const id = someId('cs_test');
    const session: Session = {
      id,
      object: 'checkout.session',
      url: `https://checkout.stripe.test/c/pay/${id}`,
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: null,
      amount_total: amount,
      currency: form.get('line_items[0][price_data][currency]') ?? '',
      client_reference_id: form.get('client_reference_id') ?? '',
      metadata: { attempt_id: form.get('metadata[attempt_id]') ?? '' },
      expires_at,
    };
    this.sessions.push(session);
    return session;
  }

  private expire(id: string): Session {
    const session = this.session(id);
    if (session.status !== 'open') throw new StripeRefusal('Only open sessions can be expired.');
    return Object.assign(session, { status: 'expired' as const, url: null });
  }

  private refund(form: URLSearchParams): Refund {
    const payment = form.get('payment_intent') ?? '';
    const session = this.sessions.find(({ payment_intent }) => payment_intent === payment);
    if (!session) throw new StripeRefusal(`No such payment_intent: '${payment}'`);
    const amount = Number(form.get('amount'));
    const before = this.refundsOf(payment).reduce(
      (sum, one) => sum + (one.status === 'failed' ? 0 : one.amount),
      0,
    );
    if (before + amount > session.amount_total) throw new StripeRefusal('Charge has already been refunded.');
    const metadata = { refund_id: form.get('metadata[refund_id]') ?? '' };
    const refund: Refund = {
      id: someId('re'),
      object: 'refund',
      payment_intent: payment,
      amount,
      status: this.refundsAre,
      metadata,
    };
    this.refunds.push(refund);
    return refund;
  }

  /** The transfers of a group. */
  transfersOf(group: string | null): Transfer[] {
    return this.transfers.filter(({ transfer_group }) => transfer_group === group);
  }

  private transfer(form: URLSearchParams): Transfer {
    const [amount, destination] = [Number(form.get('amount')), form.get('destination') ?? ''];
    if (!/^acct_[a-z]+$/.test(destination))
      throw new StripeRefusal(`No such destination: '${destination}'`, 'resource_missing');
    if (amount > this.balanceMinor)
      throw new StripeRefusal('You have insufficient funds in your Stripe account.', 'balance_insufficient');
    this.balanceMinor -= amount;
    const transfer: Transfer = {
      id: someId('tr'),
      object: 'transfer',
      amount,
      amount_reversed: 0,
      currency: form.get('currency') ?? '',
      destination,
      transfer_group: form.get('transfer_group') ?? '',
      metadata: { transfer_key: form.get('metadata[transfer_key]') ?? '' },
    };
    this.transfers.push(transfer);
    return transfer;
  }

  private refundsOf(payment: string | null): Refund[] {
    return this.refunds.filter(({ payment_intent }) => payment_intent === payment);
  }

  private payment(id: string): unknown {
    if (this.foreign.includes(id)) return { id, object: 'payment_intent', metadata: { order: '17' } };
    const session = this.sessions.find(({ payment_intent }) => payment_intent === id);
    if (!session) throw new StripeRefusal(`No such payment_intent: '${id}'`, 'resource_missing');
    return { id, object: 'payment_intent', metadata: session.metadata };
  }

  private search(query: string): unknown {
    const [, attempt] = /metadata\['attempt_id'\]:'([^']+)'/.exec(query) ?? [];
    const paid = this.sessions.filter(
      ({ metadata, payment_intent }) => metadata['attempt_id'] === attempt && payment_intent !== null,
    );
    return {
      ...list(
        paid.map(({ payment_intent: id, amount_total: amount, currency, metadata }) => ({
          id,
          object: 'payment_intent',
          status: 'succeeded',
          amount,
          currency,
          metadata,
        })),
      ),
      object: 'search_result',
    };
  }
}

const list = (data: unknown[]) => ({ object: 'list', url: '/v1/list', has_more: false, data });
