import { v7 } from 'uuid';
import { bankFilePayouts } from '../../../../activities/providers/payouts/bank-file/driver';
import { enterReport } from '../../../../api/admin/bank-files/enter-report.command';
import { firstRow, rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { noteOf } from '../../../support/builders/ordering';
import { at, decision } from '../../../support/builders/paying-out/payees';
import { sepaOrder, statusReport } from '../../../support/builders/payouts/bank-files';
import {
  collectedPayout,
  collectedWithdrawal,
  makesFile,
  stepsByFile,
  transferOf,
} from '../../../support/builders/payouts/paid-by-file';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';

/** A transfer that was collected for a bank file, and that is left to a person, who settles it by hand. */
const own = ownDatabase();
const steps = () => stepsByFile(own.db);

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

type Outcome = 'DONE' | 'REFUSED';

interface Kind {
  /** One whose transfer is collected. */
  collected: () => Promise<string>;
  /** As its process does when an operator abandons it. */
  abandon: (id: string) => Promise<string | null>;
  sends: (id: string) => Promise<string>;
  settles: (id: string, outcome: Outcome) => Promise<{ status: string }>;
  refused: string;
}

const payout: Kind = {
  collected: () => collectedPayout(own.db),
  abandon: (payoutId) => steps().handOverPayout({ payoutId, at: at() }),
  sends: (payoutId) => steps().sendPayout({ payoutId, at: at() }),
  settles: async (id, outcome) =>
    steps().completePayout({ ...(await decision(own.db, id, { text: v7() })), outcome }),
  refused: 'APPROVED',
};

const withdrawal: Kind = {
  collected: async () => (await collectedWithdrawal(own.db)).withdrawalId,
  abandon: (withdrawalId) => steps().handOverWithdrawal({ withdrawalId, at: at() }),
  sends: (withdrawalId) => steps().sendWithdrawal({ withdrawalId, at: at() }),
  async settles(withdrawalId, outcome) {
    const noteId = await noteOf(own.db, (await make.admin(own.db)).id, v7());
    return steps().settleWithdrawal({ withdrawalId, noteId, outcome, at: at() });
  },
  refused: 'CREDITED',
};

async function leftToPerson(kind: Kind): Promise<string> {
  const id = await kind.collected();
  await kind.abandon(id);
  return id;
}

/** The status of what is paid out, and who sends it. */
const standingOf = async (id: string): Promise<string> =>
  (await firstRow<{ standing: string }>(
    own.db,
    `SELECT status || ' ' || coalesce(provider, 'nobody') AS standing FROM payouts WHERE id = $1
     UNION ALL SELECT status || ' ' || provider FROM investment_withdrawals WHERE id = $1`,
    [id],
  ))!.standing;

const report = async (fileId: string, status: string): Promise<void> => {
  const by = { actorId: (await make.admin(own.db)).id, clientAddress: '127.0.0.1' };
  // Without a reason a rejection of a whole file is not certain.
  const all = { group: status, ...(status === 'RJCT' && { reason: 'AC04' }) };
  await enterReport({ db: own.db, policy: {} }, fileId, statusReport(fileId, [], all), by);
};

describe.each([
  ['a withdrawal from a wallet', payout],
  ['a withdrawal of a participation', withdrawal],
])('%s', (_, kind) => {
  const { collected, abandon, sends, settles, refused } = kind;

  test('collected and left to a person: no later file takes it, also while the person sends it', async () => {
    const id = await leftToPerson(kind);
    expect([await standingOf(id), await transferOf(own.db, id)]).toEqual([
      'PROCESSING bank',
      'REFUSED It was left to a person.',
    ]);
    await expect(makesFile(own.db)).rejects.toThrow('No transfer waits');
  });

  test.each<[Outcome, string]>([
    ['DONE', 'COMPLETED'],
    ['REFUSED', refused],
  ])('left to a person and %s by hand', async (outcome, status) => {
    const id = await leftToPerson(kind);
    expect(await settles(id, outcome)).toMatchObject({ status });
    await expect(makesFile(own.db)).rejects.toThrow('No transfer waits');
  });

  test.each([
    ['ACSC', 'COMPLETED bank-file'],
    ['RJCT', refused === 'APPROVED' ? 'APPROVED nobody' : 'CREDITED bank-file'],
  ])('in a file, it stays with the bank, whose %s ends it', async (status, ended) => {
    const id = await collected();
    const fileId = await makesFile(own.db);
    await abandon(id);
    expect(await standingOf(id)).toBe('PROCESSING bank-file');
    for (const outcome of ['DONE', 'REFUSED'] as const)
      await expect(settles(id, outcome)).rejects.toMatchObject({
        ...{ type: 'CANNOT_SETTLE', message: expect.stringContaining('withdraw the file') as string },
      });
    expect(await transferOf(own.db, id)).toBe('IN_FILE');
    await report(fileId, status);
    // Reported while an operator gives it up: nobody is asked to send what has arrived.
    if (status === 'ACSC') await abandon(id);
    expect(await sends(id)).toBe('ENDED');
    expect(await standingOf(id)).toBe(ended);
  });

  test('left to a person while a file is made: it is in the file or with the person, never both', async () => {
    for (let round = 0; round < 12; round++) {
      const id = await collected();
      const calls = [() => abandon(id), () => makesFile(own.db)];
      await Promise.allSettled((round % 2 === 0 ? calls : calls.reverse()).map((call) => call()));
      expect(['PROCESSING bank REFUSED', 'PROCESSING bank-file IN_FILE']).toContain(
        `${await standingOf(id)} ${String(await transferOf(own.db, id)).split(' ')[0]}`,
      );
    }
  });

  test('that nobody has abandoned is not settled by hand', async () => {
    const id = await collected();
    await expect(settles(id, 'DONE')).rejects.toThrow('still trying to send');
    expect(await transferOf(own.db, id)).toBe('COLLECTED');
    await abandon(id);
  });

  test('a late request to collect it, after it was settled, collects nothing', async () => {
    const id = await leftToPerson(kind);
    await settles(id, 'DONE');
    await rows(own.db, 'DELETE FROM bank_file_transfers WHERE subject_id = $1', [id]);
    const late = bankFilePayouts(own.db).sendTransfer(sepaOrder({ key: `${id}:1` }));
    await expect(late).rejects.toThrow('is not to be sent by bank files: COMPLETED bank');
    expect(await transferOf(own.db, id)).toBeNull();
  });
});

test('a payout that was refused by hand while it was collected is sent again under the next key', async () => {
  const payoutId = await leftToPerson(payout);
  await payout.settles(payoutId, 'REFUSED');
  await steps().processPayout(await decision(own.db, payoutId));
  expect(await steps().sendPayout({ payoutId, at: at() })).toBe('UNDER_WAY');
  expect(await transferOf(own.db, payoutId, 2)).toBe('COLLECTED');
});
