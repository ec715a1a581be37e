import fc from 'fast-check';
import { moneyLeft } from '../../../workflows/commerce/refund/refund.rules';

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
