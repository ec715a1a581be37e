import fc from 'fast-check';
import { priceOrder, sumMinor } from '../../../../workflows/commerce/order/pricing.rules';
import {
  allThatIsLeft,
  claimByAdministrator,
  claimFor,
  mostOf,
  type ReturnClaim,
  type ReturnableLine,
  type RefundShares,
  type ReturnableOrder,
  saleLeft,
  sharesOf,
} from '../../../../workflows/commerce/refund/refund-claim.rules';
import { moneyLeft } from '../../../../workflows/commerce/refund/refund.rules';

describe('refunds of any order', () => {
  const lines = fc.array(
    fc.record({
      unitPriceMinor: fc.oneof(
        fc.integer({ min: 0, max: 5_000 }),
        fc.integer({ min: 0, max: 1_000_000_000 }),
      ),
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
    .map(({ lines: chosen, percentageBp, taxRateBp, shippingMinor }) => {
      const price = priceOrder({
        lines: chosen.map((line, index) => ({ ...line, productId: String(index), categoryIds: [] })),
        coupons: [{ type: 'PERCENTAGE', percentageBp, productIds: [], categoryIds: [], code: 'C' }],
        taxRateBp,
        shippingMinor,
      });
      const all = price.lines.map(({ totalMinor, discountMinor, taxMinor }, index) => ({
        itemId: String(index),
        quantity: chosen[index]!.quantity,
        goodsMinor: totalMinor - discountMinor,
        taxMinor,
      }));
      return { price, all, shippingMinor };
    });
  /** Steps with the most units of each line, and the part of the claim that is approved, in basis points. */
  const steps = fc.array(
    fc.record({
      units: fc.array(fc.nat(4), { minLength: 5, maxLength: 5 }),
      approvedBp: fc.integer({ min: 1, max: 10_000 }),
    }),
    { maxLength: 6 },
  );

  const NOTHING = { goodsMinor: 0, goodsTaxMinor: 0, shippingMinor: 0, shippingTaxMinor: 0 };

  /** Units of each line that were returned, with their worth as it was claimed. */
  const nothingReturned = (all: readonly Pick<ReturnableLine, 'itemId'>[]) =>
    all.map(() => ({ returned: 0, returnedGoodsMinor: 0, returnedTaxMinor: 0 }));
  type Returned = ReturnType<typeof nothingReturned>;
  const add = (returned: Returned, { parts }: ReturnClaim, sign = 1): void =>
    parts.forEach(({ itemId, quantity, goodsMinor, taxMinor }) => {
      const line = returned[Number(itemId)]!;
      line.returned += sign * quantity;
      line.returnedGoodsMinor += sign * goodsMinor;
      line.returnedTaxMinor += sign * taxMinor;
    });

  test('of units that are asked for and turned down meanwhile nothing is lost, and nothing is given twice', () => {
    const asked = fc.array(
      fc.record({ units: fc.array(fc.nat(4), { minLength: 5, maxLength: 5 }), turnedDown: fc.boolean() }),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(sold, asked, ({ price, all, shippingMinor }, requests) => {
        const returned = nothingReturned(all);
        let open: ReturnClaim | null = null;
        for (const { units, turnedDown } of [...requests, { units: null, turnedDown: false }]) {
          // The request before is turned down only after this one was claimed, but before all the rest is.
          if (units === null && open) add(returned, open, -1);
          const order = {
            lines: all.map((line, index) => ({ ...line, ...returned[index]! })),
            ...{ shippingMinor, taxMinor: price.taxMinor, back: NOTHING },
          };
          const wanted = new Map(
            [...allThatIsLeft(order)].map(([id, there], index) => [
              id,
              Math.min(there, units?.[index] ?? there),
            ]),
          );
          const claim = claimByAdministrator(order, { wanted, amountMinor: 0, includeShipping: false });
          add(returned, claim);
          if (units !== null && open) add(returned, open, -1);
          open = turnedDown ? claim : null;
        }
        all.forEach(({ quantity, goodsMinor, taxMinor }, index) =>
          expect(returned[index]).toEqual({
            ...{ returned: quantity, returnedGoodsMinor: goodsMinor, returnedTaxMinor: taxMinor },
          }),
        );
      }),
      { numRuns: 500 },
    );
  });

  test('however it is given back, the parts add up to what was paid, and no share is more than was claimed of it', () => {
    fc.assert(
      fc.property(sold, steps, ({ price, all, shippingMinor }, asked) => {
        const returned = nothingReturned(all);
        const claims = [...asked.map(({ units }) => units), null].map((units) => {
          const order = {
            lines: all.map((line, index) => ({ ...line, ...returned[index]! })),
            shippingMinor,
            taxMinor: price.taxMinor,
            back: NOTHING,
          };
          const left = allThatIsLeft(order);
          const wanted = new Map(
            [...left].map(([id, there], index) => [
              id,
              units === null ? there : Math.min(there, units[index]!),
            ]),
          );
          const claim = claimFor(order, wanted);
          for (const part of claim.parts)
            expect(Math.min(part.goodsMinor, part.taxMinor)).toBeGreaterThanOrEqual(0);
          add(returned, claim);
          return claim;
        });
        expect(sumMinor(claims.map(({ claimedMinor }) => claimedMinor))).toBe(price.totalMinor);
        const parts = claims.flatMap((claim) => claim.parts);
        expect(sumMinor(parts.map(({ goodsMinor }) => goodsMinor))).toBe(
          price.subtotalMinor - price.discountMinor,
        );
        const whole = saleLeft({
          lines: all.map((line, index) => ({ ...line, ...nothingReturned(all)[index]! })),
          shippingMinor,
          taxMinor: price.taxMinor,
          back: NOTHING,
        });
        asked.forEach(({ approvedBp }, index) => {
          const claim = claims[index]!;
          const approvedMinor = Math.ceil((claim.claimedMinor * approvedBp) / 10_000);
          const shares = sharesOf(claim, approvedMinor, whole);
          const goods = sumMinor(claim.parts.map(({ goodsMinor }) => goodsMinor));
          const tax = sumMinor(claim.parts.map(({ taxMinor }) => taxMinor));
          expect(sumMinor(Object.values(shares))).toBe(approvedMinor);
          expect(shares.goodsMinor).toBeLessThanOrEqual(goods);
          expect(shares.goodsTaxMinor).toBeLessThanOrEqual(tax);
          expect(shares.shippingMinor + shares.shippingTaxMinor).toBeLessThanOrEqual(claim.shippingMinor);
          if (approvedMinor < goods + tax) expect(shares.shippingMinor).toBe(0);
          if (approvedMinor === claim.claimedMinor && claim.shippingMinor > 0)
            expect(shares.shippingMinor).toBe(shippingMinor);
        });
      }),
      { numRuns: 500 },
    );
  });

  /** A return: units or an amount of what is left, by whom, and how much of it is approved. */
  const given = fc.array(
    fc.record({
      by: fc.constantFrom('buyer', 'units', 'amount', 'shipping' as const),
      units: fc.array(fc.nat(4), { minLength: 5, maxLength: 5 }),
      amountBp: fc.integer({ min: 1, max: 10_000 }),
      approvedBp: fc.constantFrom(10_000, 10_000, 3_333, 1),
      includeShipping: fc.boolean(),
    }),
    { maxLength: 8 },
  );

  test('in any sequence of returns: no kind goes below zero, and all that is left can always go back', () => {
    fc.assert(
      fc.property(sold, given, ({ price, all, shippingMinor }, gifts) => {
        const returned = nothingReturned(all);
        const back: RefundShares = { ...NOTHING };
        let backMinor = 0;
        const order = (): ReturnableOrder => ({
          lines: all.map((line, index) => ({ ...line, ...returned[index]! })),
          shippingMinor,
          taxMinor: price.taxMinor,
          back,
        });
        const approve = (claim: ReturnType<typeof claimFor>, approvedBp: number): void => {
          const most = Math.min(claim.claimedMinor, mostOf(claim, saleLeft(order())));
          const approvedMinor = Math.floor((most * approvedBp) / 10_000);
          if (approvedMinor === 0) return;
          const shares = sharesOf(claim, approvedMinor, saleLeft(order()));
          expect(sumMinor(Object.values(shares))).toBe(approvedMinor);
          add(returned, claim);
          for (const kind of Object.keys(shares) as (keyof RefundShares)[]) back[kind] += shares[kind];
          backMinor += approvedMinor;
          for (const minor of Object.values(saleLeft(order()))) expect(minor).toBeGreaterThanOrEqual(0);
          expect(sumMinor(Object.values(saleLeft(order())))).toBe(price.totalMinor - backMinor);
        };
        for (const { by, units, amountBp, approvedBp, includeShipping } of gifts) {
          const left = allThatIsLeft(order());
          const wanted = new Map([...left].map(([id, there], index) => [id, Math.min(there, units[index]!)]));
          const amountMinor =
            by === 'amount' ? Math.ceil(((price.totalMinor - backMinor) * amountBp) / 10_000) : 0;
          const none = new Map<string, number>();
          approve(
            by === 'buyer'
              ? claimFor(order(), wanted)
              : claimByAdministrator(order(), {
                  wanted: by === 'units' ? wanted : none,
                  amountMinor,
                  includeShipping: by === 'shipping' || includeShipping,
                }),
            by === 'buyer' ? approvedBp : 10_000,
          );
        }
        const rest = {
          wanted: new Map<string, number>(),
          amountMinor: price.totalMinor - backMinor,
          includeShipping: false,
        };
        approve(claimByAdministrator(order(), rest), 10_000);
        expect(backMinor).toBe(price.totalMinor);
      }),
      { numRuns: 500 },
    );
  });
});

describe('money of refunds', () => {
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
          for (const command of asked) {
            const capture = byCard ? { refundedMinor: sums.methodMinor, chargedBackMinor: 0 } : null;
            const left = moneyLeft({ totalMinor, partnerBalanceMinor, ...sums }, capture);
            expect(left.methodMinor + left.partnerMinor).toBe(totalMinor - sums.refundedMinor);
            const amount = Math.min(command, left.methodMinor + left.partnerMinor);
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
});
