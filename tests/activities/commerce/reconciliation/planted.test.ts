import fc from 'fast-check';
import type { StatementMovement } from '../../../../activities/providers/statements/port';
import { ownDatabase } from '../../../support/servers/database';
import { clear, recorded, type OurMovement } from './our-records';
import {
  at,
  bookedFees,
  comparing,
  dayBeside,
  openWith,
  TheirStatement,
  type Found,
} from './their-statement';

const own = ownDatabase();

/** A difference that is planted in the pair of a movement of ours and theirs. */
const PLANTS = ['MISSING_HERE', 'MISSING_THERE', 'AMOUNT', 'CURRENCY', 'TWICE'] as const;
type Plant = (typeof PLANTS)[number];

interface Pair {
  kind: OurMovement['kind'];
  /** Hours after the beginning of the day that we recorded it. */
  hours: number;
  /** The hours by which it is later in the provider's statement; below zero: earlier. */
  shift: number;
  amountMinor: number;
  plant: Plant | null;
}

/** Hours, of whole minutes. */
const minutes = (min: number, max: number): fc.Arbitrary<number> =>
  fc.integer({ min, max }).map((count) => count / 60);

const pair = (plant: Plant | null): fc.Arbitrary<Pair> =>
  fc.record({
    kind:
      plant === 'TWICE'
        ? fc.constantFrom('CAPTURE' as const, 'REFUND' as const, 'TRANSFER_OUT' as const)
        : fc.constantFrom(
            ...(['CAPTURE', 'REFUND', 'CHARGEBACK', 'CHARGEBACK_RETURNED', 'TRANSFER_OUT'] as const),
          ),
    hours: minutes(0, 24 * 60 - 1),
    shift: minutes(-23.9 * 60, 5.9 * 60),
    amountMinor: fc.integer({ min: 1, max: 1_000_000_00 }),
    plant: fc.constant(plant),
  });

const days = fc.record({
  sound: fc.array(pair(null), { maxLength: 12 }),
  broken: fc
    .uniqueArray(fc.integer({ min: 0, max: 9 }), { maxLength: 10 })
    .chain((chosen) => fc.tuple(...chosen.map((n) => pair(PLANTS[n % PLANTS.length]!)))),
  fees: fc.array(fc.integer({ min: 1, max: 50_00 }), { maxLength: 5 }),
  /** An amount that is booked on the clearing account without a movement; 0: none. */
  stray: fc.constantFrom(0, 0, 1, 7_77),
  /** The order in which the three days are compared; some are compared again. */
  order: fc.shuffledSubarray([-1, 0, 1], { minLength: 3 }),
  again: fc.array(fc.constantFrom(-1, 0, 1), { maxLength: 2 }),
  pageSize: fc.integer({ min: 1, max: 20 }),
});

let statements = 0;

/** Records a pair on both sides, with what is planted in it; answers the difference that this has to make. */
async function lay(
  statement: TheirStatement,
  { kind, hours, shift, amountMinor, plant }: Pair,
): Promise<Found | null> {
  const providerId = `m${statement.movements.length}-${statements++}`;
  const ours = { kind, providerId, amountMinor, at: at(hours) };
  const made = plant === 'MISSING_HERE' ? null : await recorded(own, statement.code, ours);
  const reference = made?.reference ?? null;
  const theirs: Omit<StatementMovement, 'currency'> = { ...ours, reference, at: at(hours + shift) };
  if (plant === 'AMOUNT') statement.says({ ...theirs, amountMinor: amountMinor + 1 });
  else if (plant === 'CURRENCY') statement.says({ ...theirs, currency: 'EUR' });
  else if (plant !== 'MISSING_THERE') statement.says(theirs);
  if (plant === 'TWICE') statement.says({ ...theirs, providerId: `${providerId}-again` });
  if (plant === null) return null;
  return {
    kind: plant,
    movementKind: kind,
    providerId: plant === 'TWICE' ? `${providerId}-again` : providerId,
    ourId: made?.ourId ?? null,
  };
}

const inOrder = (found: readonly Found[]): string[] =>
  found
    .map(({ kind, movementKind, providerId, ourId }) => [kind, movementKind, providerId, ourId].join(' '))
    .sort();

test('of random days every planted difference is found, whichever day is compared first, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(days, async ({ sound, broken, fees, stray, order, again, pageSize }) => {
      const statement = new TheirStatement(`random-${statements++}`, pageSize);
      const planted: Found[] = [];
      for (const one of [...sound, ...broken]) {
        const found = await lay(statement, one);
        if (found) planted.push(found);
      }
      fees.forEach((amountMinor, n) =>
        statement.says({ kind: 'FEE', providerId: `fee${n}`, amountMinor, at: at(n) }),
      );
      if (stray > 0) {
        await clear(own, statement.code, 'REFUND', { amountMinor: stray, at: at(12) });
        planted.push({
          kind: 'CLEARING',
          movementKind: null,
          providerId: null,
          ourId: `${dayBeside(0)} USD`,
        });
      }
      const { run } = comparing(own.db, statement);
      let open = 0;
      for (const day of [...order, ...again]) {
        open = await run(dayBeside(day));
        // What is not certain yet is not said.
        expect(inOrder(planted)).toEqual(
          expect.arrayContaining(inOrder(await openWith(own.db, statement.code))),
        );
      }
      expect(inOrder(await openWith(own.db, statement.code))).toEqual(inOrder(planted));
      expect(open).toBe(planted.length);
      const booked = await bookedFees(own.db, statement.code);
      expect(booked.map(({ expense }) => expense)).toEqual(fees);
    }),
    { numRuns: 40 },
  );
});

test('ten planted differences are each found, and nothing else', async () => {
  const statement = new TheirStatement('ten');
  const planted: Found[] = [];
  const plants: [OurMovement['kind'], Plant][] = [
    ['CAPTURE', 'MISSING_HERE'],
    ['CAPTURE', 'MISSING_THERE'],
    ['CAPTURE', 'AMOUNT'],
    ['REFUND', 'CURRENCY'],
    ['REFUND', 'TWICE'],
    ['TRANSFER_OUT', 'TWICE'],
    ['TRANSFER_OUT', 'MISSING_HERE'],
    ['CHARGEBACK', 'MISSING_THERE'],
    ['CHARGEBACK_RETURNED', 'AMOUNT'],
  ];
  for (const [n, [kind, plant]] of plants.entries()) {
    const of = { kind, hours: 2 * n + 1, shift: 0, amountMinor: 100 + n };
    expect(await lay(statement, { ...of, plant: null })).toBeNull();
    planted.push((await lay(statement, { ...of, plant }))!);
  }
  await clear(own, statement.code, 'CAPTURE', { amountMinor: 5, at: at(3) });
  planted.push({ kind: 'CLEARING', movementKind: null, providerId: null, ourId: `${dayBeside(0)} USD` });
  const { run } = comparing(own.db, statement);
  for (const day of [-1, 0, 1]) await run(dayBeside(day));
  expect(planted).toHaveLength(10);
  expect(inOrder(await openWith(own.db, statement.code))).toEqual(inOrder(planted));
});
