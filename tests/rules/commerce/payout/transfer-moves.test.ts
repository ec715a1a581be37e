import {
  FATES,
  fateOfUnknown,
  isSentTwice,
  TRANSFER_MOVES,
  type Fate,
  type TransferCommand,
  type TransferState,
} from '../../../../workflows/commerce/payout/transfer/transfer-moves.rules';
import type { World } from './transfer-model';
import { afterReports, explore, movesOf, wayOut } from './transfer-walk';

/** Every interleaving of the steps of a transfer, its provider, its operators and crashes, to this depth. */
const DEPTH = 10;

/** A table with one move changed. */
const changed = (
  command: TransferCommand,
  from: TransferState,
  moves: Partial<Record<Fate, TransferState>>,
): typeof TRANSFER_MOVES => ({
  ...TRANSFER_MOVES,
  [command]: {
    ...TRANSFER_MOVES[command],
    [from]: { ...TRANSFER_MOVES[command][from], ...moves },
  },
});

/** The number of times that money left. */
const timesSent = ({ keys, byHand }: World): number => keys.reduce((sum, { sent }) => sum + sent, 0) + byHand;

/** The first world, of all interleavings in which nobody says what is not so, in which money has left twice. */
const paysTwice = (table: typeof TRANSFER_MOVES): World | undefined =>
  [...explore(table, DEPTH, 'honest')].find((world) => timesSent(world) > 1);

describe('nobody says what is not so', () => {
  test('money leaves once at most, and where it ends as SENT or CANCELLED, that is so', () => {
    let worlds = 0;
    for (const world of explore(TRANSFER_MOVES, DEPTH, 'honest')) {
      worlds++;
      expect(timesSent(world)).toBeLessThanOrEqual(1);
      if (world.state === 'SENT') expect(timesSent(world)).toBe(1);
      if (world.state === 'CANCELLED') expect(timesSent(world)).toBe(0);
      expect(world.twice).toBe(false);
    }
    expect(worlds).toBeGreaterThan(300);
  });

  test.each<[string, typeof TRANSFER_MOVES]>([
    ['abandoned while it is under way', changed('ABANDON', 'ASKED', { UNDER_WAY: 'BY_HAND' })],
    ['abandoned while a call may be on its way', changed('ABANDON', 'ASKED', { TOO_EARLY: 'BY_HAND' })],
    ['abandoned while its provider is not reached', changed('ABANDON', 'ASKED', { UNREACHABLE: 'BY_HAND' })],
    ['abandoned once its provider has forgotten it', changed('ABANDON', 'ASKED', { FORGOTTEN: 'BY_HAND' })],
    ['refused while it is under way', changed('SETTLE_REFUSED', 'ASKED', { UNDER_WAY: 'FAILED' })],
    ['refused while a call may be on its way', changed('SETTLE_REFUSED', 'ASKED', { TOO_EARLY: 'FAILED' })],
    [
      'refused while its provider is not reached',
      changed('SETTLE_REFUSED', 'ASKED', { UNREACHABLE: 'FAILED' }),
    ],
    ['sent again once its provider has forgotten it', changed('SEND', 'ASKED', { FORGOTTEN: 'ASKED' })],
  ])('the model finds a table that pays twice: %s', (_, table) => {
    expect(paysTwice(table)).toBeDefined();
  });
});

describe('providers carry out what they refused, and people are wrong', () => {
  test('money that leaves twice is recorded, and nothing ends silently', () => {
    let twice = 0;
    for (const world of explore(TRANSFER_MOVES, DEPTH, 'false words')) {
      const reported = afterReports(world);
      if (timesSent(world) > 1) expect(reported.twice).toBe(true);
      if (world.state === 'CANCELLED' && timesSent(world) > 0) expect(reported.twice).toBe(true);
      if (reported.twice) twice++;
    }
    expect(twice).toBeGreaterThan(100);
  });
});

test('every state has a way out, once its provider is reached and time has passed', () => {
  for (const words of ['honest', 'false words'] as const)
    for (const world of explore(TRANSFER_MOVES, 8, words))
      expect(wayOut(TRANSFER_MOVES, world)).not.toBeNull();
});

test('an attempt whose outcome is unknown leaves ASKED only by what is certain, or by the word of a person', () => {
  for (const [command, moves] of Object.entries(TRANSFER_MOVES))
    for (const fate of ['UNDER_WAY', 'TOO_EARLY', 'UNREACHABLE'] as const)
      expect([command, fate, moves.ASKED?.[fate] ?? 'ASKED']).toEqual([command, fate, 'ASKED']);
  const word = Object.entries(TRANSFER_MOVES).filter(([, moves]) => moves.ASKED?.FORGOTTEN !== undefined);
  expect(word.map(([command]) => command)).toEqual(['SETTLE_DONE', 'SETTLE_REFUSED']);
  expect(FATES.filter((fate) => TRANSFER_MOVES.PROCESS.ASKED?.[fate])).toEqual([]);
});

test('the model makes every move of the table', () => {
  const made = new Set(movesOf(TRANSFER_MOVES, DEPTH));
  const all = Object.entries(TRANSFER_MOVES).flatMap(([command, moves]) =>
    Object.entries(moves).flatMap(([from, fates]) =>
      Object.keys(fates).map((fate) => `${command} ${from} ${fate}`),
    ),
  );
  expect(all.filter((move) => !made.has(move))).toEqual([]);
});

test('"not found" is certain only between the time of a call and that of the memory', () => {
  const provider = { certainAfterMs: 100, remembersForMs: 1_000 };
  expect([0, 99, 100, 899, 900, 5_000].map((ms) => fateOfUnknown(ms, provider))).toEqual([
    ...['TOO_EARLY', 'TOO_EARLY', 'NOT_FOUND', 'NOT_FOUND', 'FORGOTTEN', 'FORGOTTEN'],
  ]);
  expect(fateOfUnknown(1e12, { ...provider, remembersForMs: null })).toBe('NOT_FOUND');
  expect((['DUE', 'ASKED', 'BY_HAND', 'FAILED', 'SENT', 'CANCELLED'] as const).filter(isSentTwice)).toEqual([
    ...['SENT', 'CANCELLED'],
  ]);
});
