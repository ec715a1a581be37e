import fc from 'fast-check';
import { firstRow, type Db } from '../../../../db/sql/query';
import type { Figure } from '../../../../workflows/administration/analytics/figures.rules';
import { make } from '../../../support/builders/make';
import { soldOrder, soldOrderRefund } from '../../../support/builders/partnering/sold-orders';
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
  participations: readonly { id: string; userId: string; strategyId: string; risk: string }[];
  /** Goods may also be without one. */
  categoryIds: readonly string[];
  shippingMethodId: string;
  administratorId: string;
}

export async function castOf(db: Db): Promise<Cast> {
  const participationOf = async (risk: 'LOW' | 'HIGH') => {
    const { id: strategyId } = await strategy(db, { riskLevel: risk });
    const { id, userId } = await make.participation(db, { strategyId });
    return { id, userId, strategyId, risk };
  };
  return {
    buyers: [(await make.user(db)).id, (await make.user(db)).id, (await make.user(db)).id],
    partnerIds: [(await make.partner(db)).id, (await make.partner(db)).id],
    participations: [await participationOf('LOW'), await participationOf('HIGH')],
    categoryIds: [(await make.category(db)).id, (await make.category(db)).id],
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

function customerOf(db: Db, userId: string): 'NEW' | 'RETURNING' {
  const before = paidBefore.get(db) ?? new Set();
  const customer = before.has(userId) ? 'RETURNING' : 'NEW';
  paidBefore.set(db, before.add(userId));
  return customer;
}

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
    return [
      fact('sale', at, subtotal - discount, { part }),
      fact('sale.customer', at, subtotal - discount, { part: customerOf(db, userId) }),
      ...(discount > 0 ? [fact('sale.discount', at, discount)] : []),
      ...(shipping > 0 ? [fact('sale.shipping', at, shipping)] : []),
      ...(tax > 0 ? [fact('sale.tax', at, tax)] : []),
    ];
  });

type ByCategory = ReadonlyMap<string, number>;

function byCategory(lines: readonly { categoryId: string | null; goodsMinor: number }[]): ByCategory {
  const sums = new Map<string, number>();
  for (const { categoryId, goodsMinor } of lines)
    sums.set(categoryId ?? '', (sums.get(categoryId ?? '') ?? 0) + goodsMinor);
  return sums;
}

const sumOf = (lines: readonly { goodsMinor: number }[]): number =>
  lines.reduce((total, { goodsMinor }) => total + goodsMinor, 0);

/** The goods by category as the last refund of an order was announced. */
async function announced(db: Db, reference: string): Promise<ByCategory> {
  const event = await firstRow<{ categories: { categoryId: string | null; goodsMinor: number }[] }>(
    db,
    `SELECT data -> 'categories' AS categories FROM domain_events WHERE reference = $1`,
    [`refund.completed:${reference}`],
  );
  return byCategory(event!.categories);
}

const back = fc.record({
  ...{ at: instant, percent: fc.integer({ min: 1, max: 100 }), kind: fc.constantFrom('line', 'amount') },
  ...{ shipping: fc.nat(500), tax: fc.nat(500) },
});

/** An order of three lines, parts of which are taken back one after another: a line or an amount, at last perhaps the rest. */
export const refund = fc
  .record({
    ...{ paidAt: instant, of: fc.nat(2), isCancelled: fc.boolean() },
    lines: fc.array(fc.record({ goodsMinor: minor, of: fc.nat(2) }), { minLength: 3, maxLength: 3 }),
    parts: fc.array(back, { minLength: 1, maxLength: 3 }),
  })
  .map(({ paidAt, of: buyer, isCancelled, ...made }): Happening => async (db, { buyers, categoryIds }) => {
    const buyerId = buyers[buyer]!;
    const lines = made.lines.map(({ goodsMinor, of }) => ({
      goodsMinor,
      categoryId: categoryIds[of] ?? null,
    }));
    const order = await soldOrder(db, { buyerId, lines, paidAt: new Date(paidAt) });
    const facts = [
      fact('sale', paidAt, sumOf(lines), { part: 'CARD' }),
      fact('sale.customer', paidAt, sumOf(lines), { part: customerOf(db, buyerId) }),
      ...[...byCategory(lines)].map(([part, amount]) => fact('category.sale', paidAt, amount, { part })),
    ];
    const left = new Map(byCategory(lines));
    for (const [n, { at, kind, percent, shipping, tax }] of made.parts.entries()) {
      const leftMinor = [...left.values()].reduce((sum, amount) => sum + amount, 0);
      const isCancellation = isCancelled && n === made.parts.length - 1;
      const line = lines[n]!;
      const of = kind === 'line' ? line.goodsMinor : leftMinor;
      const goodsMinor = isCancellation ? leftMinor : Math.min(leftMinor, Math.ceil((of * percent) / 100));
      if (goodsMinor === 0) break;
      const parts = kind === 'line' ? [{ line: n, goodsMinor: line.goodsMinor }] : [];
      const requestId = await soldOrderRefund(db, {
        ...{ order, buyerId, goodsMinor, parts, isCancellation, at: new Date(at) },
        ...{ shippingMinor: shipping, taxMinor: tax },
      });
      const categories = await announced(db, requestId ?? order.id);
      expect([...categories.values()].reduce((sum, amount) => sum + amount, 0)).toBe(goodsMinor);
      const own = Math.min(goodsMinor, left.get(line.categoryId ?? '')!);
      if (kind === 'line' && !isCancellation)
        expect(categories.get(line.categoryId ?? '') ?? 0).toBeGreaterThanOrEqual(own);
      for (const [category, amount] of categories) {
        left.set(category, left.get(category)! - amount);
        expect(left.get(category)).toBeGreaterThanOrEqual(0);
        facts.push(fact('category.refund', at, amount, { part: category }));
      }
      if (isCancellation) expect([...left.values()].filter((amount) => amount !== 0)).toEqual([]);
      facts.push(
        fact('refund', at, goodsMinor, { part: isCancellation ? 'CANCELLATION' : 'REQUEST' }),
        fact('method.refund', at, goodsMinor, { part: 'CARD' }),
        ...(shipping > 0 ? [fact('refund.shipping', at, shipping)] : []),
        ...(tax > 0 ? [fact('refund.tax', at, tax)] : []),
      );
    }
    return facts;
  });
