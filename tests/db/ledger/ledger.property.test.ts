import fc from 'fast-check';
import { v7 } from 'uuid';
import { violates } from '../../../db/sql/errors';
import type { LedgerLine, PlatformAccount, UserAccount } from '../../../db/ledger/ledger.accounts';
import { balances } from '../../../db/ledger/ledger.reads';
import { InsufficientBalance, postTransfer } from '../../../db/ledger/ledger.transitions';
import { inTransaction } from '../../../db/sql/transaction';
import { ownDatabase } from '../../support/servers/database';
import { Book, settle, type Line, type TransferCommand } from './ledger.book';
import { addUser, at, brokenInvariants, handedOver, nothingBroken, paidIn } from './ledger.world';

const own = ownDatabase();

const currency = fc.constantFrom('USD', 'EUR');
const amountMinor = fc.integer({ min: -60, max: 60 }).filter((amount) => amount !== 0);
const userLine = fc.record<Line>({
  account: fc.constantFrom<UserAccount[]>('wallet', 'partner_pending', 'partner_available', 'payout_hold'),
  user: fc.nat(2),
  currency,
  amountMinor,
});
const platformLine = fc.record<Line>({
  account: fc.constantFrom<PlatformAccount[]>('payments', 'sales', 'tax', 'commission_expense'),
  user: fc.constant(null),
  currency,
  amountMinor,
});

const anyLines = fc.array(fc.oneof({ weight: 3, arbitrary: userLine }, platformLine), {
  minLength: 1,
  maxLength: 5,
});
const command = fc.record<TransferCommand>({
  reference: fc.nat(11),
  lines: fc.oneof({ weight: 5, arbitrary: anyLines.map(settle) }, anyLines),
  clawback: fc.boolean(),
});

const asEntry = (people: readonly string[], { user, ...line }: Line): LedgerLine =>
  (user === null ? line : { ...line, userId: people[user] }) as LedgerLine;

async function post(
  people: readonly string[],
  run: string,
  { reference, lines, clawback }: TransferCommand,
): Promise<string> {
  const entries = lines.map((line) => asEntry(people, line));
  try {
    const transfer = { reference: `${run}:${reference}`, entries, at, clawback };
    return await inTransaction(own.db, (tx) => postTransfer(tx, transfer));
  } catch (error) {
    if (violates(error, 'ledger_transfers_balanced')) return 'unbalanced';
    if (String(error).includes('posted before with other entries')) return 'mistaken';
    return error instanceof InsufficientBalance ? 'INSUFFICIENT_BALANCE' : String(error);
  }
}

const heldBy = async (people: readonly string[]): Promise<Map<string, number>> => {
  const held = new Map<string, number>();
  for (const [user, person] of people.entries()) {
    for (const { account, currency: name, balanceMinor } of await balances(own.db, person)) {
      held.set(`${user} ${account} ${name}`, balanceMinor);
    }
  }
  return held;
};

const newPeople = () => Promise.all([1, 2, 3].map(() => addUser(own.db)));

beforeEach(() => {
  jest.spyOn(console, 'warn').mockReturnValue(); // Sequelize warns of every commit that is refused.
});

test('whatever is posted, the ledger answers and holds what the model predicts', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 15 }), async (commands) => {
      const [people, run, book] = [await newPeople(), v7(), new Book()];
      for (const each of commands) {
        const answer = await post(people, run, each);
        expect(answer).toBe(book.post(each));
        seen.add(answer);
      }
      expect(await heldBy(people)).toEqual(book.held);
      expect(await brokenInvariants(own.db)).toEqual(nothingBroken);
    }),
    { numRuns: 60, examples: [[repeated()]] },
  );
  expect([...seen].sort()).toEqual([
    'INSUFFICIENT_BALANCE',
    'already posted',
    'mistaken',
    'posted',
    'unbalanced',
  ]);
});

test('whatever comes at the same moment, nothing is lost, made or overdrawn', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 2, maxLength: 24 }), async (commands) => {
      const [people, run] = [await newPeople(), v7()];
      const answers = await Promise.all([...commands, ...commands].map((each) => post(people, run, each)));
      const expected = ['INSUFFICIENT_BALANCE', 'already posted', 'mistaken', 'posted', 'unbalanced'];
      expect(answers.filter((answer) => !expected.includes(answer))).toEqual([]);
      const references = new Set(commands.map(({ reference }) => reference));
      expect(answers.filter((answer) => answer === 'posted').length).toBeLessThanOrEqual(references.size);
      expect(await brokenInvariants(own.db)).toEqual(nothingBroken);
    }),
    { numRuns: 25 },
  );
});

test('money handed round at the same moment stays the same money', async () => {
  const step = fc.record({
    from: fc.nat(2),
    by: fc.integer({ min: 1, max: 2 }),
    amount: fc.integer({ min: 1, max: 90 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const people = await newPeople();
      const run = v7();
      const start = people.map((person) =>
        inTransaction(own.db, (tx) =>
          postTransfer(tx, { reference: v7(), entries: paidIn(person, 100), at }),
        ),
      );
      await Promise.all(start);
      await Promise.allSettled(
        steps.map(({ from, by, amount }, n) => {
          const entries = handedOver(people[from]!, people[(from + by) % 3]!, amount);
          return inTransaction(own.db, (tx) => postTransfer(tx, { reference: `${run}:${n}`, entries, at }));
        }),
      );
      const held = [...(await heldBy(people)).values()];
      expect(held.reduce((sum, each) => sum + each)).toBe(300);
      expect(await brokenInvariants(own.db)).toEqual(nothingBroken);
    }),
    { numRuns: 25 },
  );
});

/** Chance rarely repeats a transfer word for word. */
function repeated(): TransferCommand[] {
  const lines = settle([{ account: 'wallet', user: 0, currency: 'USD', amountMinor: 40 }]);
  const once = { reference: 1, lines, clawback: false };
  return [once, { ...once }, { ...once, clawback: true }];
}
