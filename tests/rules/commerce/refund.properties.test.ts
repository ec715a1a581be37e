import fc from 'fast-check';
import { priceOrder, sumMinor } from '../../../workflows/commerce/pricing.rules';
import { allThatIsLeft, claimFor, moneyLeft, sharesOf } from '../../../workflows/commerce/refund.rules';

const lines = fc.array(
  fc.record({
    unitPriceMinor: fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 0, max: 1_000_000_000 })),
    quantity: fc.integer({ min: 1, max: 12 }),
  }),
  { minLength: 1, maxLength: 5 },
);
const sold = fc
  .record({
    lines,
    percentageBp: fc.integer({ min: 1, max: 10_000 }),
    taxRateBp: fc.integer({ min: 0, max: 3_000 }),
    shippingMinor: fc.integer({ min: 0, max: 5_000 }),
  })
  .map(({ lines: wished, percentageBp, taxRateBp, shippingMinor }) => {
    const price = priceOrder({
      lines: wished.map((line, index) => ({ ...line, productId: String(index), categoryIds: [] })),
      coupons: [{ type: 'PERCENTAGE', percentageBp, productIds: [], categoryIds: [], code: 'C' }],
      taxRateBp,
      shippingMinor,
    });
    const all = price.lines.map(({ totalMinor, discountMinor, taxMinor }, index) => ({
      itemId: String(index),
      quantity: wished[index]!.quantity,
      goodsMinor: totalMinor - discountMinor,
      taxMinor,
    }));
    return { price, all, shippingMinor };
  });
/** Of each line so many pieces at most, time and again; and what of the claim is approved, in basis points. */
const steps = fc.array(
  fc.record({
    pieces: fc.array(fc.nat(4), { minLength: 5, maxLength: 5 }),
    approvedBp: fc.integer({ min: 1, max: 10_000 }),
  }),
  { maxLength: 6 },
);

test('however it is given back, the parts add up to what was paid, and no share is more than was claimed of it', () => {
  fc.assert(
    fc.property(sold, steps, ({ price, all, shippingMinor }, asked) => {
      const returned = all.map(() => 0);
      const claims = [...asked.map(({ pieces }) => pieces), null].map((pieces) => {
        const order = {
          lines: all.map((line, index) => ({ ...line, returned: returned[index]! })),
          shippingMinor,
          taxMinor: price.taxMinor,
        };
        const left = allThatIsLeft(order);
        const wanted = new Map(
          [...left].map(([id, there], index) => [
            id,
            pieces === null ? there : Math.min(there, pieces[index]!),
          ]),
        );
        const claim = claimFor(order, wanted);
        for (const part of claim.parts) {
          expect(Math.min(part.goodsMinor, part.taxMinor)).toBeGreaterThanOrEqual(0);
          returned[Number(part.itemId)]! += part.quantity;
        }
        return claim;
      });
      expect(sumMinor(claims.map(({ claimedMinor }) => claimedMinor))).toBe(price.totalMinor);
      const parts = claims.flatMap((claim) => claim.parts);
      expect(sumMinor(parts.map(({ goodsMinor }) => goodsMinor))).toBe(
        price.subtotalMinor - price.discountMinor,
      );
      asked.forEach(({ approvedBp }, index) => {
        const claim = claims[index]!;
        const approvedMinor = Math.ceil((claim.claimedMinor * approvedBp) / 10_000);
        const shares = sharesOf(claim, approvedMinor, shippingMinor);
        const goods = sumMinor(claim.parts.map(({ goodsMinor }) => goodsMinor));
        const tax = sumMinor(claim.parts.map(({ taxMinor }) => taxMinor));
        expect(shares.goodsMinor + shares.taxMinor + shares.shippingMinor).toBe(approvedMinor);
        expect(shares.goodsMinor).toBeLessThanOrEqual(goods);
        expect(shares.shippingMinor).toBeLessThanOrEqual(claim.shippingMinor);
        expect(shares.taxMinor).toBeLessThanOrEqual(tax + claim.shippingMinor - shares.shippingMinor);
        if (approvedMinor < goods + tax) expect(shares.shippingMinor).toBe(0);
        if (approvedMinor === claim.claimedMinor && claim.shippingMinor > 0)
          expect(shares.shippingMinor).toBe(shippingMinor);
      });
    }),
    { numRuns: 500 },
  );
});

test('money goes back by its method first and by the partner balance last, and never more than came', () => {
  const paid = fc.record({
    totalMinor: fc.integer({ min: 1, max: 100_000 }),
    partnerBp: fc.nat(10_000),
    byCard: fc.boolean(),
  });
  fc.assert(
    fc.property(
      paid,
      fc.array(fc.integer({ min: 1, max: 50_000 }), { maxLength: 8 }),
      ({ totalMinor, partnerBp, byCard }, asked) => {
        const partnerBalanceMinor = Math.floor((totalMinor * partnerBp) / 10_000);
        const sums = { refundedMinor: 0, methodMinor: 0, partnerMinor: 0 };
        for (const wish of asked) {
          const capture = byCard ? { refundedMinor: sums.methodMinor, chargedBackMinor: 0 } : null;
          const left = moneyLeft({ totalMinor, partnerBalanceMinor, ...sums }, capture);
          expect(left.methodMinor + left.partnerMinor).toBe(totalMinor - sums.refundedMinor);
          const amount = Math.min(wish, left.methodMinor + left.partnerMinor);
          const method = Math.min(amount, left.methodMinor);
          if (amount > method) expect(sums.methodMinor + method).toBe(totalMinor - partnerBalanceMinor);
          sums.refundedMinor += amount;
          sums.methodMinor += method;
          sums.partnerMinor += amount - method;
        }
        expect(sums.partnerMinor).toBeLessThanOrEqual(partnerBalanceMinor);
      },
    ),
  );
});
