import fc from 'fast-check';
import { v7 } from 'uuid';
import { announce } from '../../../../db/administration/domain-event/domain-event.writes';
import { postTransfer } from '../../../../db/ledger/ledger.transitions';
import type { Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import type { Figure } from '../../../../workflows/administration/analytics/figures.rules';
import { make } from '../../../support/builders/make';
import { payOrder } from '../../../support/builders/given/paid-order';
import { strategy } from '../../../support/builders/make/strategies';

/** A fact as this test counts it: on its own, by no statement of the platform. */
export interface Expected {
  figure: Figure;
  at: string;
  part: string;
  occurrences: number;
  amountMinor: number;
  seconds: number;
}

/** People and things that the facts of a random shop are about. */
export interface Cast {
  buyers: readonly string[];
  partnerIds: readonly string[];
  participations: readonly { id: string; userId: string; strategyId: string }[];
  shippingMethodId: string;
  administratorId: string;
}

export async function castOf(db: Db): Promise<Cast> {
  const participationOf = async () => {
    const { id: strategyId } = await strategy(db);
    const { id, userId } = await make.participation(db, { strategyId });
    return { id, userId, strategyId };
  };
  return {
    buyers: [(await make.user(db)).id, (await make.user(db)).id, (await make.user(db)).id],
    partnerIds: [(await make.partner(db)).id, (await make.partner(db)).id],
    participations: [await participationOf(), await participationOf()],
    shippingMethodId: await make.shippingMethod(db),
    administratorId: (await make.admin(db)).id,
  };
}

/** Instants near changes of clocks, of months, years and ISO weeks, and any in the years around. */
export const instant = fc
  .oneof(
    fc
      .constantFrom(
        ...['2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z', '2026-03-08T07:00:00Z', '2026-11-01T06:00:00Z'],
        ...['2024-02-29T00:00:00Z', '2024-03-01T00:00:00Z', '2026-01-01T00:00:00Z', '2025-12-29T00:00:00Z'],
      )
      .chain((edge) =>
        fc.integer({ min: -26 * 3600, max: 26 * 3600 }).map((seconds) => Date.parse(edge) + seconds * 1_000),
      ),
    fc.integer({ min: Date.parse('2024-01-01'), max: Date.parse('2026-12-31') }),
  )
  .map((ms) => new Date(ms).toISOString());

export const minor = fc.integer({ min: 1, max: 1_000_000 });
const method = fc.constantFrom('CARD', 'BANK_TRANSFER', 'EWALLET', 'BALANCE');

/** One thing that happens in a shop, with the facts that it is. */
export type Happening = (db: Db, cast: Cast) => Promise<Expected[]>;

export const fact = (
  figure: Figure,
  at: string,
  amountMinor: number,
  {
    part = '',
    occurrences = 1,
    seconds = 0,
  }: Partial<Pick<Expected, 'part' | 'occurrences' | 'seconds'>> = {},
): Expected => ({ figure, at, part, occurrences, amountMinor, seconds });

/** Customers with a paid order, per database. */
const paidBefore = new WeakMap<Db, Set<string>>();

export const sale = fc
  .record({
    ...{ at: instant, method, subtotal: minor, isDiscounted: fc.boolean() },
    ...{ shipping: fc.nat(5_000), tax: fc.nat(9_000), of: fc.nat(2) },
  })
  .map(({ of, isDiscounted, ...sold }): Happening => async (db, { buyers, shippingMethodId }) => {
    const userId = buyers[of]!;
    const { at, subtotal, shipping, tax, method: part } = sold;
    const discount = isDiscounted ? Math.floor(subtotal / 3) : 0;
    await payOrder(db, { ...sold, userId, discount, shippingMethodId });
    const before = paidBefore.get(db) ?? new Set();
    const customer = before.has(userId) ? 'RETURNING' : 'NEW';
    paidBefore.set(db, before.add(userId));
    return [
      fact('sale', at, subtotal, { part }),
      fact('sale.customer', at, subtotal - discount, { part: customer }),
      ...(discount > 0 ? [fact('sale.discount', at, discount)] : []),
      ...(shipping > 0 ? [fact('sale.shipping', at, shipping)] : []),
      ...(tax > 0 ? [fact('sale.tax', at, tax)] : []),
    ];
  });

export const refund = fc
  .record({ at: instant, goods: minor, shipping: fc.nat(500), tax: fc.nat(500), cancelled: fc.boolean() })
  .map(({ at, goods, shipping, tax, cancelled }): Happening => async (db) => {
    const [orderId, refundRequestId] = [v7(), v7()];
    await inTransaction(db, async (tx) => {
      await announce(
        tx,
        {
          ...{ type: 'refund.completed', orderId, goodsMinor: goods, currency: 'USD', full: cancelled },
          refundRequestId: cancelled ? null : refundRequestId,
        },
        at,
      );
      const entries = [
        { account: 'sales', currency: 'USD', amountMinor: -goods },
        { account: 'shipping', currency: 'USD', amountMinor: -shipping },
        { account: 'tax', currency: 'USD', amountMinor: -tax },
        { account: 'refunds', currency: 'USD', amountMinor: goods + shipping + tax },
      ] as const;
      await postTransfer(tx, { reference: `refund:${refundRequestId}`, entries, at: new Date(at) });
    });
    return [
      fact('refund', at, goods, { part: cancelled ? 'CANCELLATION' : 'REQUEST' }),
      ...(shipping > 0 ? [fact('refund.shipping', at, shipping)] : []),
      ...(tax > 0 ? [fact('refund.tax', at, tax)] : []),
    ];
  });
