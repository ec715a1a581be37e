import fc from 'fast-check';
import type { Db } from '../../../../db/sql/query';
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

function byCategory(lines: readonly { category: string; amount: number }[]): ByCategory {
  const sums = new Map<string, number>();
  for (const { category, amount } of lines) sums.set(category, (sums.get(category) ?? 0) + amount);
  return sums;
}

/** An amount by shares in proportion to weights, in the order of their names; differences of rounded running sums. */
function shares(amount: number, weights: ByCategory): [string, number][] {
  const total = [...weights.values()].reduce((sum, weight) => sum + BigInt(weight), 0n);
  let [running, given] = [0n, 0n];
  return [...weights]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, weight]) => {
      running += BigInt(weight);
      const upTo = (2n * BigInt(amount) * running + total) / (2n * total);
      const share = upTo - given;
      given = upTo;
      return [name, Number(share)];
    });
}

/** An order of three lines of which a part is taken back: two of its lines, any amount, or as a cancellation. */
export const refund = fc
  .record({
    ...{ at: instant, paidAt: instant, of: fc.nat(2), percent: fc.integer({ min: 1, max: 100 }) },
    lines: fc.array(fc.record({ goodsMinor: minor, of: fc.nat(2) }), { minLength: 3, maxLength: 3 }),
    ...{ shipping: fc.nat(500), tax: fc.nat(500), kind: fc.constantFrom('lines', 'amount', 'cancelled') },
  })
  .map((back): Happening => async (db, { buyers, categoryIds }) => {
    const { at, paidAt, shipping, tax } = back;
    const buyerId = buyers[back.of]!;
    const lines = back.lines.map(({ goodsMinor, of }) => ({
      goodsMinor,
      categoryId: categoryIds[of] ?? null,
    }));
    const order = await soldOrder(db, { buyerId, lines, paidAt: new Date(paidAt) });
    const taken = back.kind === 'lines' ? lines.slice(0, 2) : lines;
    const sum = (all: typeof lines) => all.reduce((total, { goodsMinor }) => total + goodsMinor, 0);
    const goods = Math.ceil((sum(taken) * back.percent) / 100);
    const parts = back.kind === 'lines' ? taken.map(({ goodsMinor }, line) => ({ line, goodsMinor })) : [];
    const isCancellation = back.kind === 'cancelled';
    await soldOrderRefund(db, {
      ...{ order, buyerId, goodsMinor: goods, parts, isCancellation, at: new Date(at) },
      ...{ shippingMinor: shipping, taxMinor: tax },
    });
    const weights = (of: typeof lines) =>
      byCategory(
        of.map(({ categoryId, goodsMinor }) => ({ category: categoryId ?? '', amount: goodsMinor })),
      );
    return [
      fact('sale', paidAt, sum(lines), { part: 'CARD' }),
      fact('sale.customer', paidAt, sum(lines), { part: customerOf(db, buyerId) }),
      ...[...weights(lines)].map(([part, amount]) => fact('category.sale', paidAt, amount, { part })),
      fact('refund', at, goods, { part: isCancellation ? 'CANCELLATION' : 'REQUEST' }),
      fact('method.refund', at, goods, { part: 'CARD' }),
      ...shares(goods, weights(taken)).map(([part, share]) => fact('category.refund', at, share, { part })),
      ...(shipping > 0 ? [fact('refund.shipping', at, shipping)] : []),
      ...(tax > 0 ? [fact('refund.tax', at, tax)] : []),
    ];
  });
