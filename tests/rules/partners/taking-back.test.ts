import {
  restoredTo,
  reversalOf,
  takenByRefunds,
  takenInAll,
  weightsOf,
  type Reversible,
  type SaleRefund,
} from '../../../workflows/partners/commission/taking-back.rules';

const lines = [100_00, 50_00, 1].map((goodsMinor, index) => ({
  ...{ id: `l${index}`, goodsMinor, commissionBp: 1_000, careerPointsBp: 10_000 },
}));
const units = (line: number, goodsMinor: number, of = goodsMinor): SaleRefund => ({
  goodsMinor,
  parts: [{ lineId: `l${line}`, goodsMinor: of }],
});
const amount = (goodsMinor: number): SaleRefund => ({ goodsMinor, parts: [] });

test.each<[string, SaleRefund[], number[]]>([
  ['units are of their line', [units(1, 20_00)], [0, 20_00, 0]],
  ['less than the units is of their line too', [units(0, 30_00, 100_00)], [30_00, 0, 0]],
  ['an amount is in proportion of what is left', [amount(75_00)], [50_00, 25_00, 0]],
  ['an amount after units too', [units(0, 100_00), amount(25_00)], [0, 25_00, 0]],
  ['all at once', [amount(150_01)], [100_00, 50_00, 1]],
  ['the rest of a cancellation', [units(0, 40_00), amount(110_01)], [60_00, 50_00, 1]],
  [
    'units of a line that an amount has emptied are of the others',
    [amount(75_00), units(0, 75_00)],
    [50_00, 24_99, 1],
  ],
  ['more than there is takes what there is', [amount(200_00), amount(1)], [0, 0, 0]],
  ['nothing takes nothing', [amount(0)], [0, 0, 0]],
])('%s', (_, refunds, expected) => {
  const before = takenByRefunds(lines, refunds.slice(0, -1));
  const byLast = takenByRefunds(lines, refunds).map((minor, line) => minor - (before[line] ?? 0));
  expect(byLast).toEqual(expected);
});

describe('chargebacks', () => {
  const all = weightsOf(lines);
  const refunded = (...refunds: SaleRefund[]) => weightsOf(lines, takenByRefunds(lines, refunds));
  const lost = (minor: number, byRefunds = refunded(), ofMinor = 150_01, ofRefundsMinor = 0) =>
    takenInAll(all, byRefunds, { minor, ofMinor, ofRefundsMinor });

  test('take the part of the goods that they are of all that was paid', () => {
    expect(lost(75_00, refunded(), 300_02).baseMinor).toBe(37_50);
    expect(lost(300_02, refunded(), 300_02)).toEqual(all);
    expect(lost(0)).toEqual(refunded());
  });

  test('and refunds together take no more than there is', () => {
    expect(lost(150_01, refunded(units(0, 100_00)))).toEqual(all);
    expect(lost(60_00, refunded(amount(150_01)))).toEqual(all);
  });

  test('take nothing beyond the refunds that they paid', () => {
    const half = refunded(units(0, 75_00));
    expect(lost(75_00, half, 150_01, 75_00)).toEqual(half);
    expect(lost(75_00, half, 150_01, 50_00).baseMinor).toBe(100_00);
    expect(lost(0, half, 150_01, 75_00)).toEqual(half);
  });

  test('take of what refunds have left, so that more refunds never take less', () => {
    const mixed = [
      { ...lines[0]!, goodsMinor: 7, commissionBp: 10_000 },
      { ...lines[1]!, goodsMinor: 5, commissionBp: 1 },
      { ...lines[2]!, goodsMinor: 3, commissionBp: 0 },
    ];
    for (let minor = 0; minor <= 15; minor++)
      for (const line of [0, 1, 2]) {
        let before = -1n;
        for (let back = 0; back <= mixed[line]!.goodsMinor; back++) {
          const by = weightsOf(mixed, takenByRefunds(mixed, back === 0 ? [] : [units(line, back)]));
          const { baseMinor, commissionWeight } = takenInAll(weightsOf(mixed), by, {
            ...{ minor, ofMinor: 15, ofRefundsMinor: 0 },
          });
          expect(baseMinor).toBe(Math.min(15, back + minor));
          expect(commissionWeight).toBeGreaterThanOrEqual(before);
          before = commissionWeight;
        }
      }
  });
});

const whole = weightsOf(lines).commissionWeight;
const commission: Reversible = {
  ...{ status: 'PENDING', grossMinor: 7_50, netMinor: 7_50, points: 150_01, commissionWeight: whole },
  ...{ reversedFrom: null, hasParts: false, backGrossMinor: 0, backNetMinor: 0, backPoints: 0 },
};

describe('of a commission', () => {
  test.each<[string, Partial<Reversible>, bigint, unknown]>([
    ['all of it in one step is reversed', {}, whole, { kind: 'REVERSED' }],
    ['all of one that is held too', { status: 'HELD' }, whole, { kind: 'REVERSED' }],
    ['nothing of nothing', {}, 0n, { kind: 'NONE' }],
    ['nothing of one that is reversed', { status: 'REVERSED' }, whole, { kind: 'NONE' }],
    [
      'a part follows the state',
      { status: 'HELD' },
      whole / 2n,
      { kind: 'PART', status: 'HELD', netMinor: 3_75, grossMinor: 3_75, points: 75_01 },
    ],
    [
      'all of a paid one is negative and at once available',
      { status: 'PAID' },
      whole,
      { kind: 'PART', status: 'APPROVED', netMinor: 7_50, grossMinor: 7_50, points: 150_01 },
    ],
    [
      'the rest after a part is negative too',
      { hasParts: true, backGrossMinor: 3_75, backNetMinor: 3_75, backPoints: 75_01 },
      whole,
      { kind: 'PART', status: 'PENDING', netMinor: 3_75, grossMinor: 3_75, points: 75_00 },
    ],
    [
      'an adjusted one is taken back as it stands',
      { netMinor: 2_00 },
      whole / 2n,
      { kind: 'PART', status: 'PENDING', netMinor: 1_00, grossMinor: 3_75, points: 75_01 },
    ],
    ['one that was adjusted to nothing gives nothing', { netMinor: 0 }, whole / 2n, { kind: 'NONE' }],
    [
      'one that was adjusted upwards has a gross too',
      { grossMinor: 1, backGrossMinor: 1, backNetMinor: 1, netMinor: 100 },
      whole / 2n,
      { kind: 'PART', status: 'PENDING', netMinor: 49, grossMinor: 49, points: 75_01 },
    ],
  ])('%s', (_, changes, weight, expected) => {
    expect(reversalOf({ ...commission, ...changes }, weight)).toEqual(expected);
  });

  test.each<[string, Partial<Reversible>, bigint, boolean, unknown]>([
    [
      'a return restores a part',
      { hasParts: true, backGrossMinor: 7_50, backNetMinor: 7_50, backPoints: 150_01 },
      whole / 2n,
      true,
      { kind: 'PART', status: 'PENDING', netMinor: -3_75, grossMinor: -3_75, points: -75_00 },
    ],
    [
      'only a return restores',
      { hasParts: true, netMinor: 1_00, backGrossMinor: 7_50, backNetMinor: 75, backPoints: 0 },
      whole / 2n,
      false,
      { kind: 'NONE' },
    ],
    [
      'all of one of which a part was taken and restored is negative',
      { hasParts: true },
      whole,
      false,
      { kind: 'PART', status: 'PENDING', netMinor: 7_50, grossMinor: 7_50, points: 150_01 },
    ],
  ])('%s', (_, changes, weight, restores, expected) => {
    expect(reversalOf({ ...commission, ...changes }, weight, restores)).toEqual(expected);
  });

  test('one that was taken back as a whole returns to its state once less is taken back', () => {
    const reversed = { status: 'REVERSED', commissionWeight: whole, reversedFrom: 'HELD' } as const;
    expect(restoredTo(reversed, whole)).toBeNull();
    expect(restoredTo(reversed, whole - 1n)).toBe('HELD');
    expect(restoredTo({ ...reversed, reversedFrom: null }, 0n)).toBeNull();
    expect(restoredTo({ ...commission, reversedFrom: null }, 0n)).toBeNull();
  });

  test('any steps of refunds end at the same sum', () => {
    for (const steps of [
      [1n, 2n, 3n],
      [3n, 3n],
      [1n, 1n, 1n, 1n, 1n, 1n],
    ]) {
      let [back, taken] = [0, 0n];
      for (const step of steps) {
        taken += (whole * step) / 7n;
        const reversal = reversalOf({ ...commission, backNetMinor: back, backGrossMinor: back }, taken);
        if (reversal.kind === 'PART') back += reversal.netMinor;
      }
      expect(back).toBe(6_43);
    }
  });
});
