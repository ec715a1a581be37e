import { execute, rows } from '../../../../db/sql/query';
import { refusalIn } from '../../../../workflows/errors';
import { make } from '../../../support/builders/make';
import {
  decision,
  fundsOf,
  payee,
  payoutSteps,
  requested,
} from '../../../support/builders/paying-out/payees';
import { owedMessages } from '../../../support/checks/mail';
import { violations } from '../../../support/checks/violations';
import { FakePayouts } from '../../../support/fakes/fake-payouts';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();
const atBank = () => payoutSteps(own.db, new FakePayouts());

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

const codeOf = (error: unknown): string => {
  const refused = refusalIn(error);
  if (!refused) throw error;
  return refused.reason ?? refused.code;
};
const outcomeOf = (work: Promise<{ status: string }>): Promise<string> =>
  work.then(({ status }) => status, codeOf);

async function pending() {
  const one = await payee(own.db);
  const payoutId = await requested(atBank(), one);
  const by = async (text: string | null = null) => decision(own.db, payoutId, { text });
  return { one, payoutId, by };
}

test('approved once, with who and when', async () => {
  const { payoutId } = await pending();
  const admin = await make.admin(own.db);
  const approval = await decision(own.db, payoutId, { by: admin.id, text: 'Checked.' });
  expect(await atBank().approvePayout(approval)).toMatchObject({
    status: 'APPROVED',
    transfer: null,
    lastRefusal: null,
  });
  expect(await atBank().approvePayout(approval)).toMatchObject({ status: 'APPROVED' });
  const [row] = await rows(
    own.db,
    'SELECT approved_by, approved_at IS NOT NULL AS at FROM payouts WHERE id = $1',
    [payoutId],
  );
  expect(row).toEqual({ approvedBy: admin.id, at: true });
  const audited = await rows(own.db, `SELECT action, next FROM audit_records WHERE entity_id = $1`, [
    payoutId,
  ]);
  expect(audited).toEqual([{ action: 'payout.approve', next: { status: 'APPROVED', note: 'Checked.' } }]);
  expect(await outcomeOf(atBank().approvePayout(await decision(own.db, payoutId)))).toBe('NOT_PENDING');
});

test('twenty approvals at once: one is made', async () => {
  const { by } = await pending();
  const approvals = await Promise.all(Array.from({ length: 20 }, () => by()));
  const outcomes = await Promise.all(approvals.map((one) => outcomeOf(atBank().approvePayout(one))));
  expect(outcomes.sort()).toEqual(['APPROVED', ...Array<string>(19).fill('NOT_PENDING')]);
});

test.each([
  [true, { availableMinor: 100_00, heldMinor: 0 }],
  [false, { availableMinor: 60_00, heldMinor: 0 }],
])('rejected with returnsFunds %s', async (returnsFunds, funds) => {
  const { one, payoutId, by } = await pending();
  const rejection = { ...(await by('Not yours.')), returnsFunds };
  expect(await outcomeOf(atBank().rejectPayout(rejection))).toBe('REJECTED');
  expect(await outcomeOf(atBank().rejectPayout(rejection))).toBe('REJECTED');
  expect(await fundsOf(own.db, one.userId)).toMatchObject(funds);
  const [row] = await rows(
    own.db,
    'SELECT details, rejection_reason, funds_returned, ended_at IS NOT NULL AS ended FROM payouts WHERE id = $1',
    [payoutId],
  );
  expect(row).toEqual({
    details: null,
    rejectionReason: 'Not yours.',
    fundsReturned: returnsFunds,
    ended: true,
  });
  const [mail] = await owedMessages(own.db, 'reference = $1', [`payout:${payoutId}:rejected`]);
  expect(mail!.text).toContain('The reason: Not yours.');
  expect(mail!.text.includes('not returned')).toBe(!returnsFunds);
});

test('cancelled by the owner while it is PENDING, without a mail; by an administrator while it is APPROVED', async () => {
  const first = await pending();
  const byOwner = { ...(await decision(own.db, first.payoutId, { by: first.one.userId })), byOwner: true };
  expect(await outcomeOf(atBank().cancelPayout(byOwner))).toBe('CANCELLED');
  const mails = await rows(own.db, 'SELECT 1 FROM outbox_messages WHERE reference = $1', [
    `payout:${first.payoutId}:cancelled`,
  ]);
  expect(mails).toEqual([]);
  const second = await pending();
  await atBank().approvePayout(await second.by());
  const late = { ...(await decision(own.db, second.payoutId, { by: second.one.userId })), byOwner: true };
  expect(await outcomeOf(atBank().cancelPayout(late))).toBe('NOT_CANCELLABLE');
  const cancel = { ...(await second.by('At your request.')), byOwner: false };
  expect(await outcomeOf(atBank().cancelPayout(cancel))).toBe('CANCELLED');
  for (const { one } of [first, second])
    expect(await fundsOf(own.db, one.userId)).toMatchObject({ availableMinor: 100_00, heldMinor: 0 });
});

test('nobody decides on an own payout, and nobody cancels as the owner of another', async () => {
  const one = await payee(own.db, { user: { roles: ['USER', 'ADMIN'] } });
  const payoutId = await requested(atBank(), one);
  const mine = await decision(own.db, payoutId, { by: one.userId, text: 'x' });
  const all = [
    atBank().approvePayout(mine),
    atBank().rejectPayout({ ...mine, returnsFunds: true }),
    atBank().cancelPayout({ ...mine, byOwner: false }),
    atBank().processPayout(mine),
    atBank().completePayout({ ...mine, outcome: 'DONE' }),
  ];
  for (const one of all) expect(await outcomeOf(one)).toBe('FORBIDDEN');
  const foreign = { ...(await decision(own.db, payoutId)), byOwner: true };
  expect(await outcomeOf(atBank().cancelPayout(foreign))).toBe('FORBIDDEN');
});

test('what a status does not allow', async () => {
  const { by } = await pending();
  expect(await outcomeOf(atBank().processPayout(await by()))).toBe('NOT_APPROVED');
  expect(await outcomeOf(atBank().completePayout({ ...(await by()), outcome: 'DONE' }))).toBe(
    'NOT_PROCESSING',
  );
  await atBank().rejectPayout({ ...(await by('No.')), returnsFunds: true });
  expect(await outcomeOf(atBank().approvePayout(await by()))).toBe('NOT_PENDING');
  expect(await outcomeOf(atBank().rejectPayout({ ...(await by('No.')), returnsFunds: true }))).toBe(
    'NOT_REJECTABLE',
  );
  expect(await outcomeOf(atBank().cancelPayout({ ...(await by('No.')), byOwner: false }))).toBe(
    'NOT_CANCELLABLE',
  );
});

test('approve, reject, cancel and process raced: one end, and the money in one place', async () => {
  for (let round = 0; round < 6; round++) {
    const { one, payoutId, by } = await pending();
    const bank = new FakePayouts();
    const many = payoutSteps(own.db, bank);
    const approve = async () => outcomeOf(many.approvePayout(await by()));
    const reject = async () =>
      outcomeOf(many.rejectPayout({ ...(await by('No.')), returnsFunds: round % 2 === 0 }));
    const cancel = async () => outcomeOf(many.cancelPayout({ ...(await by('No.')), byOwner: false }));
    const process = async () => {
      const outcome = await outcomeOf(many.processPayout(await by()));
      if (outcome === 'PROCESSING') await many.sendPayout({ payoutId, at: new Date().toISOString() });
      return outcome;
    };
    const all = [approve, process, reject, process, cancel, approve];
    await Promise.all(all.map((_, n) => all[(n + round) % all.length]!()));
    const { heldMinor, payouts } = await fundsOf(own.db, one.userId);
    const isOpen = payouts[0] === 'APPROVED 4000';
    expect(heldMinor).toBe(isOpen ? 40_00 : 0);
    expect(bank.sent).toHaveLength(payouts[0] === 'COMPLETED 4000' ? 1 : 0);
    expect(await violations(own.db)).toEqual([]);
  }
});

describe('four eyes', () => {
  const strict = (bank: FakePayouts | null) =>
    payoutSteps(own.db, bank, { variables: { POLICY_PAYOUT_FOUR_EYES: '40' } });

  test('above the amount another administrator processes, and another one settles by hand', async () => {
    const admin = await make.admin(own.db);
    const one = await payee(own.db);
    const payoutId = await requested(strict(null), one, 40_01);
    await strict(null).approvePayout(await decision(own.db, payoutId, { by: admin.id }));
    const mine = await decision(own.db, payoutId, { by: admin.id });
    expect(await outcomeOf(strict(null).processPayout(mine))).toBe('SECOND_ADMINISTRATOR_REQUIRED');
    const other = await make.admin(own.db);
    await strict(null).processPayout(await decision(own.db, payoutId, { by: other.id }));
    const settles = async (by: string) =>
      outcomeOf(
        strict(null).completePayout({
          ...(await decision(own.db, payoutId, { by, text: payoutId })),
          outcome: 'DONE',
        }),
      );
    expect(await settles(other.id)).toBe('SECOND_ADMINISTRATOR_REQUIRED');
    expect(await settles(admin.id)).toBe('COMPLETED');
  });

  test('up to the amount one administrator suffices', async () => {
    const admin = await make.admin(own.db);
    const one = await payee(own.db);
    const payoutId = await requested(strict(null), one, 40_00);
    await strict(null).approvePayout(await decision(own.db, payoutId, { by: admin.id }));
    const mine = await decision(own.db, payoutId, { by: admin.id });
    expect(await outcomeOf(strict(null).processPayout(mine))).toBe('PROCESSING');
  });
});

test('the money of an account that is not active stays, and is sent when it is active again', async () => {
  const { one, by } = await pending();
  await atBank().approvePayout(await by());
  await execute(own.db, `UPDATE users SET status = 'BANNED' WHERE id = $1`, [one.userId]);
  expect(await outcomeOf(atBank().processPayout(await by()))).toBe('USER_STATUS_NOT_ALLOWED');
  await execute(own.db, `UPDATE users SET status = 'ACTIVE' WHERE id = $1`, [one.userId]);
  expect(await outcomeOf(atBank().processPayout(await by()))).toBe('PROCESSING');
});

test.each(['SUSPENDED', 'TERMINATED'])(
  'an open request of a partner who is %s is decided as usual',
  async (status) => {
    const { one, by } = await pending();
    await execute(own.db, 'UPDATE partners SET status = $2 WHERE id = $1', [one.partnerId, status]);
    await execute(own.db, `UPDATE users SET deletion_due_at = now() + interval '9 days' WHERE id = $1`, [
      one.userId,
    ]);
    expect(await outcomeOf(atBank().approvePayout(await by()))).toBe('APPROVED');
    expect(await outcomeOf(atBank().processPayout(await by()))).toBe('PROCESSING');
  },
);
