import fc from 'fast-check';
import { v7 } from 'uuid';
import type { LedgerLine, PlatformAccount, UserAccount } from '../../../db/ledger/ledger.accounts';
import { balanceOf, balances, entriesOf } from '../../../db/ledger/ledger.reads';
import { InsufficientBalance, postTransfer, type Transfer } from '../../../db/ledger/ledger.transitions';
import { violates } from '../../../db/sql/errors';
import { execute, firstRow, rows } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { takenByTheBank } from '../../activities/commerce/chargeback/chargebacks';
import { given } from '../../support/builders/given';
import { make } from '../../support/builders/make';
import { noteOf, orderSteps } from '../../support/builders/ordering';
import { approve, deliveredOrder, requestRefund } from '../../support/builders/refunding';
import { violations } from '../../support/checks/violations';
import { ownDatabase } from '../../support/servers/database';
import { Book, type Line, settle, type TransferCommand } from './ledger.book';
import { addUser, at, brokenInvariants, handedOver, named, nothingBroken, paidIn } from './ledger.world';

describe('transfers', () => {
  const own = ownDatabase();
  const post = (entries: readonly LedgerLine[], more: Partial<Transfer> = {}) =>
    inTransaction(own.db, (tx) => postTransfer(tx, { reference: named(), entries, at, ...more }));
  const wallet = (userId: string, currency = 'USD') => balanceOf(own.db, userId, 'wallet', currency);
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (error: unknown) => (error instanceof InsufficientBalance ? 'INSUFFICIENT_BALANCE' : error),
    );

  afterEach(async () => {
    jest.restoreAllMocks();
    expect(await brokenInvariants(own.db)).toEqual(nothingBroken);
  });

  test('a transfer moves balances, and an account says why', async () => {
    const [ada, bob] = [await addUser(own.db), await addUser(own.db)];
    expect(await post(paidIn(ada, 10_000), { reference: named(`first:${ada}`) })).toBe('posted');
    expect(await post(paidIn(ada, 700, 'EUR'))).toBe('posted');
    expect(await post(handedOver(ada, bob, 2_500), { reference: named(`gift:${ada}`) })).toBe('posted');

    expect(await wallet(ada)).toBe(7_500);
    expect(await wallet(bob)).toBe(2_500);
    expect(await wallet(bob, 'EUR')).toBe(0);
    expect(await balances(own.db, ada)).toEqual([
      { account: 'wallet', currency: 'EUR', balanceMinor: 700 },
      { account: 'wallet', currency: 'USD', balanceMinor: 7_500 },
    ]);
    const newest = { account: 'wallet', currency: 'USD', createdAt: at };
    expect(await entriesOf(own.db, ada, 1)).toMatchObject([
      { ...newest, amountMinor: -2_500, ...named(`gift:${ada}`), part: '' },
    ]);
    expect((await entriesOf(own.db, ada, 9)).map(({ amountMinor }) => amountMinor)).toEqual([
      -2_500, 700, 10_000,
    ]);
  });

  test('the same event moves money once, also when both tries come at the same moment', async () => {
    const ada = await addUser(own.db);
    const more = { reference: named(ada) };
    const answers = await Promise.all([1, 2, 3, 4].map(() => post(paidIn(ada, 300), more)));
    expect(answers.sort()).toEqual(['already posted', 'already posted', 'already posted', 'posted']);
    expect(await post(paidIn(ada, 300).reverse(), more)).toBe('already posted');
    expect(await wallet(ada)).toBe(300);
  });

  test('the same name for another movement is a mistake, and moves nothing', async () => {
    const [ada, bob] = [await addUser(own.db), await addUser(own.db)];
    const reference = named(ada);
    await post(paidIn(ada, 300), { reference });
    const others: [LedgerLine[], Partial<Transfer>][] = [
      [paidIn(ada, 301), {}],
      [paidIn(bob, 300), {}],
      [paidIn(ada, 300, 'EUR'), {}],
      [[...paidIn(ada, 300), ...paidIn(ada, 300)], {}],
      [paidIn(ada, 300), { clawback: true }],
    ];
    for (const [entries, more] of others) {
      await expect(post(entries, { reference, ...more })).rejects.toThrow('posted before with other entries');
    }
    expect(await wallet(ada)).toBe(300);
    expect(await wallet(bob)).toBe(0);
  });

  test('money that is not there is refused with its name, and nothing else of the transaction happens', async () => {
    const [ada, bob] = [await addUser(own.db), await addUser(own.db)];
    await post(paidIn(ada, 100));
    expect(await codeOf(post(handedOver(ada, bob, 101)))).toBe('INSUFFICIENT_BALANCE');
    expect(await codeOf(post(handedOver(ada, bob, 101), { clawback: true }))).toBe('INSUFFICIENT_BALANCE');
    expect(await codeOf(post(handedOver(bob, ada, 1, 'partner_available')))).toBe('INSUFFICIENT_BALANCE');
    expect(await wallet(ada)).toBe(100);
    expect(await codeOf(post(handedOver(ada, bob, 100)))).toBe('done');
  });

  test('a clawback may leave partner earnings below zero, and from there only credits are accepted', async () => {
    const [ada, bob] = [await addUser(own.db), await addUser(own.db)];
    expect(await post(handedOver(ada, bob, 50, 'partner_available'), { clawback: true })).toBe('posted');
    expect(await balanceOf(own.db, ada, 'partner_available', 'USD')).toBe(-50);
    expect(await codeOf(post(handedOver(ada, bob, 1, 'partner_available')))).toBe('INSUFFICIENT_BALANCE');
    expect(await post(handedOver(bob, ada, 20, 'partner_available'))).toBe('posted');
    expect(await balanceOf(own.db, ada, 'partner_available', 'USD')).toBe(-30);
  });

  test('only the sum within a transfer counts, not the order of its lines', async () => {
    const ada = await addUser(own.db);
    const line = { account: 'wallet', userId: ada, currency: 'USD' } as const;
    const rest: LedgerLine = { account: 'sales', currency: 'USD', amountMinor: -10 };
    expect(await post([{ ...line, amountMinor: -90 }, { ...line, amountMinor: 100 }, rest])).toBe('posted');
    expect(await wallet(ada)).toBe(10);
  });

  test('lines of zero are left out, and a transfer of nothing is none', async () => {
    const ada = await addUser(own.db);
    expect(await post([...paidIn(ada, 5), { account: 'tax', currency: 'USD', amountMinor: 0 }])).toBe(
      'posted',
    );
    expect(await post(paidIn(ada, 0))).toBe('already posted');
    expect(await wallet(ada)).toBe(5);
  });

  test.each([0.5, Number.NaN, 2 ** 53])('%d is no amount', async (amountMinor) => {
    const ada = await addUser(own.db);
    await expect(post(paidIn(ada, amountMinor))).rejects.toThrow(RangeError);
  });

  test('the database itself refuses what no code should ask for', async () => {
    jest.spyOn(console, 'warn').mockReturnValue(); // Sequelize warns of every commit that is refused.
    const ada = await addUser(own.db);
    const refused = async (entries: LedgerLine[], constraint: string): Promise<void> => {
      const error: unknown = await post(entries).catch((reason: unknown) => reason);
      expect([violates(error, constraint), error]).toEqual([true, error]);
    };
    const line = { account: 'wallet', userId: ada, currency: 'USD' } as const;
    await refused([{ ...line, amountMinor: 5 }], 'ledger_transfers_balanced');
    await refused(
      [...paidIn(ada, 5), { account: 'sales', currency: 'EUR', amountMinor: -5 }],
      'ledger_transfers_balanced',
    );
    await refused(
      [
        { ...line, amountMinor: 5 },
        { account: 'sales', currency: 'EUR', amountMinor: -5 },
      ],
      'ledger_transfers_balanced',
    );
    await refused([{ ...line, currency: 'usd', amountMinor: 5 }], 'ledger_entries_currency_check');
    await refused([{ ...line, userId: v7(), amountMinor: 5 }], 'ledger_entries_user_fkey');
    const stray = execute(
      own.db,
      `INSERT INTO ledger_transfers (id, kind, subject_id, created_at) VALUES ($1, 'seed-wallet', 'stray', now())`,
      [v7()],
    );
    expect(violates(await stray.catch((reason: unknown) => reason), 'ledger_transfers_not_empty')).toBe(true);
    expect(await wallet(ada)).toBe(0);
  });

  test.each([
    'UPDATE ledger_entries SET amount_minor = amount_minor + 1',
    'DELETE FROM ledger_entries',
    'UPDATE ledger_transfers SET clawback = true',
    'DELETE FROM ledger_transfers',
    'TRUNCATE ledger_entries CASCADE',
    'TRUNCATE ledger_transfers CASCADE',
  ])('what was posted stays as it is: %s', async (statement) => {
    await post(paidIn(await addUser(own.db), 10));
    const before = await firstRow(own.db, 'SELECT count(*), sum(abs(amount_minor)) FROM ledger_entries');
    await expect(execute(own.db, statement)).rejects.toThrow('permission denied');
    await expect(execute(own.owner, statement)).rejects.toThrow('is append-only');
    expect(await firstRow(own.db, 'SELECT count(*), sum(abs(amount_minor)) FROM ledger_entries')).toEqual(
      before,
    );
  });

  test('of a hundred spends at the same moment exactly as many succeed as the money allows', async () => {
    const ada = await addUser(own.db);
    await post(paidIn(ada, 3_700));
    const spend: LedgerLine[] = [
      { account: 'wallet', userId: ada, currency: 'USD', amountMinor: -100 },
      { account: 'sales', currency: 'USD', amountMinor: 100 },
    ];
    const answers = await Promise.all(Array.from({ length: 100 }, () => codeOf(post(spend))));
    expect(answers.filter((answer) => answer === 'done')).toHaveLength(37);
    expect(answers.filter((answer) => answer === 'INSUFFICIENT_BALANCE')).toHaveLength(63);
    expect(await wallet(ada)).toBe(0);
  });

  test('transfers that cross queue up: nobody has to try again and no cent is lost', async () => {
    const people = await Promise.all([1, 2, 3].map(() => addUser(own.db)));
    for (const person of people) await post(paidIn(person, 1_000));
    let tries = 0;
    const hand = (n: number) => {
      const entries = handedOver(people[n % 3]!, people[(n + 1 + (n % 2)) % 3]!, 1);
      return inTransaction(own.db, (tx) => {
        tries++;
        return postTransfer(tx, { reference: named(), entries, at });
      });
    };
    await Promise.all(Array.from({ length: 120 }, (_, n) => hand(n)));
    expect(tries).toBe(120);
    const held = await Promise.all(people.map((person) => wallet(person)));
    expect(held.reduce((sum, each) => sum + each)).toBe(3_000);
  });
});

describe('any transfers', () => {
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

  /** All that is held of a person in a currency is held for one thing, so that its hold is as much as the balance. */
  const holds = new Map<string, string>();
  const holdOf = (userId: string, currency: string): string =>
    holds.get(`${userId} ${currency}`) ??
    holds.set(`${userId} ${currency}`, v7()).get(`${userId} ${currency}`)!;

  const asEntry = (people: readonly string[], { user, ...line }: Line): LedgerLine => {
    if (user === null) return line as LedgerLine;
    const userId = people[user]!;
    const holdId = line.account === 'payout_hold' ? holdOf(userId, line.currency) : undefined;
    return { ...line, userId, ...(holdId && { holdId }) } as LedgerLine;
  };

  async function post(
    people: readonly string[],
    run: string,
    { reference, lines, clawback }: TransferCommand,
  ): Promise<string> {
    const entries = lines.map((line) => asEntry(people, line));
    try {
      const transfer = { reference: named(`${run}:${reference}`), entries, at, clawback };
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
            postTransfer(tx, { reference: named(), entries: paidIn(person, 100), at }),
          ),
        );
        await Promise.all(start);
        await Promise.allSettled(
          steps.map(({ from, by, amount }, n) => {
            const entries = handedOver(people[from]!, people[(from + by) % 3]!, amount);
            return inTransaction(own.db, (tx) =>
              postTransfer(tx, { reference: named(`${run}:${n}`), entries, at }),
            );
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
});

describe('clearing accounts', () => {
  const own = ownDatabase();
  const now = (): string => new Date().toISOString();

  /** Money that came by every provider and went every way. */
  async function everythingHappened(): Promise<void> {
    const steps = orderSteps(own.db);
    const returned = await given(own.db).order().paid().cancelled();
    await steps.completeRefund({ refundId: returned.refundId, providerRefundId: v7(), at: now() });
    await given(own.db).order().paid().cancelled();
    const { refundId } = await given(own.db).order({ method: 'BANK_TRANSFER' }).paid().cancelled();
    const noteId = await noteOf(own.db, (await make.admin(own.db)).id, 'OUT-1');
    await steps.settleRefund({ refundId, noteId, at: now() });
    const taken = await given(own.db).order().paid();
    await takenByTheBank(own.db, taken, 1_000);
    const cancelled = await given(own.db).order().paid();
    await takenByTheBank(own.db, cancelled, 2_000);
    await steps.cancelOrder({
      orderId: cancelled.orderId,
      noteId: await noteOf(own.db, cancelled.userId, null),
      at: now(),
    });
    const wonBack = await deliveredOrder(own.db, { taxBp: 1_900, partnerMinor: 700 });
    await takenByTheBank(own.db, wonBack, 3_000);
    await takenByTheBank(own.db, wonBack, 3_000, 'RETURNED');
    const items = [{ itemId: wonBack.items[0]!.id, quantity: 1 }];
    await approve(own.db, await requestRefund(own.db, wonBack, { items }));
  }

  const accounts = async (): Promise<string[]> =>
    (
      await rows<{ account: string }>(
        own.db,
        `SELECT DISTINCT account FROM ledger_entries WHERE starts_with(account, 'clearing_') OR account = 'losses' ORDER BY 1`,
      )
    ).map(({ account }) => account);

  test('money at each provider has an account of its own, whichever way it goes', async () => {
    await everythingHappened();
    expect(await accounts()).toEqual(['clearing_bank', 'clearing_sandbox', 'losses']);
    expect(await violations(own.db)).toEqual([]);
  });
});
