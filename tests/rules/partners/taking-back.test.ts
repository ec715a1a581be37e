import {
  reversalOf,
  takenByLast,
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
  expect(takenByLast(lines, refunds)).toEqual(expected);
});

const whole = weightsOf(lines).commissionWeight;
const commission: Reversible = {
  ...{ status: 'PENDING', grossMinor: 7_50, netMinor: 7_50, points: 150_01, commissionWeight: whole },
  ...{ backGrossMinor: 0, backNetMinor: 0, backPoints: 0 },
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
      { backGrossMinor: 3_75, backNetMinor: 3_75, backPoints: 75_01 },
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
