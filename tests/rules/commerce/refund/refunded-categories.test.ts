import fc from 'fast-check';
import {
  refundedCategories,
  type CategoryGoods,
} from '../../../../workflows/commerce/refund/refunded-categories.rules';

const goods = (
  categoryId: string,
  soldMinor: number,
  of: Partial<Omit<CategoryGoods, 'categoryId' | 'soldMinor'>> = {},
): CategoryGoods => ({ categoryId, soldMinor, announcedMinor: 0, ownMinor: 0, promisedMinor: 0, ...of });

test.each([
  ['units count in their category', 100, [goods('x', 100, { ownMinor: 100 }), goods('y', 100)], { x: 100 }],
  ['less than its units are worth', 60, [goods('x', 100, { ownMinor: 100 }), goods('y', 100)], { x: 60 }],
  ['an amount in proportion to all goods', 100, [goods('x', 100), goods('y', 300)], { x: 25, y: 75 }],
  [
    'the rest after a refund of units',
    100,
    [goods('x', 100, { announcedMinor: 100 }), goods('y', 100)],
    { y: 100 },
  ],
  [
    'the rest before the units of an approved refund',
    100,
    [goods('x', 100, { promisedMinor: 100 }), goods('y', 100)],
    { y: 100 },
  ],
  [
    'units of which an amount has taken a part',
    100,
    [goods('x', 100, { ownMinor: 100, announcedMinor: 50 }), goods('y', 100, { announcedMinor: 50 })],
    { x: 50, y: 50 },
  ],
  ['nothing of an order of free goods', 0, [goods('x', 0)], {}],
  ['nothing of an order without lines', 0, [], {}],
])('%s', (_, goodsMinor, categories, expected) => {
  const divided = refundedCategories(goodsMinor, categories);
  expect(Object.fromEntries(divided.map((one) => [one.categoryId, one.goodsMinor]))).toEqual(expected);
});

interface Refund {
  goodsMinor: number;
  /** By category; empty for an amount. */
  own: number[];
}

/** Refunds of an order in the order of their approval, the last of them of all that is left, and that of their announcements. */
const order = fc
  .record({
    sold: fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 1, maxLength: 4 }),
    steps: fc.array(
      fc.record({ category: fc.nat(3), percent: fc.integer({ min: 1, max: 100 }), isAmount: fc.boolean() }),
      { maxLength: 4 },
    ),
    places: fc.array(fc.nat(), { minLength: 5, maxLength: 5 }),
  })
  .map(({ sold, steps, places }) => {
    const units = [...sold];
    let left = sold.reduce((sum, one) => sum + one, 0);
    const refunds = steps.map(({ category, percent, isAmount }): Refund => {
      const at = category % sold.length;
      const goodsMinor = Math.min(left, Math.floor(((isAmount ? left : units[at]!) * percent) / 100));
      left -= goodsMinor;
      if (isAmount) return { goodsMinor, own: [] };
      units[at]! -= goodsMinor;
      return { goodsMinor, own: sold.map((_, i) => (i === at ? goodsMinor : 0)) };
    });
    refunds.push({ goodsMinor: left, own: [] });
    const turns = refunds.map((_, i) => i).sort((one, other) => places[one]! - places[other]!);
    return { sold, refunds, turns, isOfUnits: steps.every(({ isAmount }) => !isAmount) };
  });

test('in whatever order refunds are announced, all of them take from each category what was sold of it', () => {
  fc.assert(
    fc.property(order, ({ sold, refunds, turns, isOfUnits }) => {
      const announced = sold.map(() => 0);
      const waiting = new Set(refunds.keys());
      for (const turn of turns) {
        waiting.delete(turn);
        const { goodsMinor, own } = refunds[turn]!;
        const categories = sold.map((soldMinor, i) => ({
          ...{ categoryId: String(i), soldMinor, announcedMinor: announced[i]!, ownMinor: own[i] ?? 0 },
          promisedMinor: [...waiting].reduce((sum, other) => sum + (refunds[other]!.own[i] ?? 0), 0),
        }));
        const divided = refundedCategories(goodsMinor, categories);
        expect(divided.reduce((sum, one) => sum + one.goodsMinor, 0)).toBe(goodsMinor);
        for (const one of divided) announced[Number(one.categoryId)]! += one.goodsMinor;
        for (const [i, minor] of announced.entries()) expect(minor).toBeLessThanOrEqual(sold[i]!);
        if (isOfUnits && own.length > 0)
          for (const one of divided) expect(one.goodsMinor).toBe(own[Number(one.categoryId)]);
      }
      expect(announced).toEqual(sold);
    }),
  );
});
