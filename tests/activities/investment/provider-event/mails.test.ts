import { v7 } from 'uuid';
import { execute, firstRow } from '../../../../db/sql/query';
import { mailsTo } from '../../../support/checks/mail';
import { make } from '../../../support/builders/make';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { reporting, type Report } from './reporting';

/** The mails that the owner of an investment gets about what its provider reports. */
const own = ownDatabase();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

const DAY_MS = 86_400_000;
/** Noon of yesterday: reports come within the time for which penalties may be dated back, and none is of later than now. */
const START = new Date((Math.floor(Date.now() / DAY_MS) - 0.5) * DAY_MS).toISOString();
const hour = (hours: number): string => new Date(Date.parse(START) + hours * 3_600_000).toISOString();
/** Days from its start to its maturity: within the time by which a provider may move the maturity of any term. */
const MATURES = 200;
const SECOND = 1_000 / DAY_MS;
const day = (days: number): string => hour(24 * days);
/** A day (UTC) as mails have it. */
const named = (time: string): string =>
  new Date(time).toLocaleDateString('en-GB', {
    ...{ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' },
  });

/** A user who invests with a provider, and the reports about one investment of 1,000 there. */
async function begin() {
  const user = await make.user(own.db, { kycLevel: 'STANDARD', firstName: 'Ada' });
  const strategy = await make.strategy(own.db, { name: 'Harbour Bonds' });
  await make.signedIn(own.db, strategy.providerCode, user.id);
  const externalId = v7();
  const provider = reporting(own.db, strategy.providerCode);
  const investmentExternalId = externalId;
  const created = (more: Record<string, unknown> = {}): Report => ({
    type: 'investment.created',
    timestamp: hour(0),
    data: {
      ...{ externalId, userId: user.id, strategyCode: strategy.strategyCode, amount: 1_000, currency: 'USD' },
      ...{ startDate: START, maturityDate: day(MATURES), ...more },
    },
  });
  const profit = (hours: number, amount: number): Report => ({
    type: 'profit.distributed',
    timestamp: hour(hours),
    data: { externalId: v7(), investmentExternalId, amount },
  });
  const withdrawn = (hours: number, data: Record<string, unknown>): Report => ({
    type: 'investment.withdrawn',
    timestamp: hour(hours),
    data: { externalId: v7(), investmentExternalId, ...data },
  });
  const updated = (hours: number, data: Record<string, unknown>): Report => ({
    type: 'investment.updated',
    timestamp: hour(hours),
    data: { investmentExternalId, ...data },
  });
  /** The mails to the user: the event, the day without its date, and the text after the greeting. */
  const mails = async () =>
    (await mailsTo(own.db, user.email)).map(({ reference, subject, text }) => ({
      event: reference.split(':')[2],
      subject: subject.replace(/INV-[\d-]+/, 'INV'),
      text: text.replace(/^Hello Ada,\n\n/, '').replace(/INV-[\d-]+/g, 'INV'),
    }));
  const events = async () => (await mails()).map(({ event }) => event);
  const reports = { created, profit, withdrawn, updated };
  return { ...provider, ...reports, user, strategy, externalId, mails, events };
}

/** The same, of an investment that runs, without its first mail. */
async function running() {
  const begun = await begin();
  await begun.report(begun.created());
  await execute(own.db, 'DELETE FROM outbox_messages WHERE recipient = $1', [begun.user.email]);
  return begun;
}

const erase = (userId: string, erased: boolean) =>
  execute(
    own.db,
    `UPDATE users SET erased_at = ${erased ? 'now()' : 'NULL'}, password_hash = NULL WHERE id = $1`,
    [userId],
  );

describe('an investment that its provider reports', () => {
  test('is mailed once: with its amount and maturity', async () => {
    const { created, store, apply, report, mails } = await begin();
    const id = await store(created());
    await apply(id);
    await apply(id);
    await report(created());
    expect(await mails()).toEqual([
      {
        event: 'started',
        subject: 'Your investment INV has started',
        text: [
          'The provider of Harbour Bonds has reported your investment of 1000.00 USD. Its number here is INV.',
          `It matures on ${named(day(MATURES))} (UTC).`,
          'If you did not make this investment, please contact our support.',
        ].join('\n\n'),
      },
    ]);
  });

  test('that waited for its payment here: nothing is to be paid any more', async () => {
    const { created, report, mails, user, strategy } = await begin();
    const unpaid = await make.participation(own.db, { userId: user.id, strategyId: strategy.id });
    await report(created({ participationId: unpaid.id }));
    expect(await mails()).toEqual([
      {
        event: 'started',
        subject: 'Your investment INV has started',
        text: expect.stringContaining(
          'You do not have to pay for it here any more. Money that we still receive for it is sent back to you.',
        ) as string,
      },
    ]);
  });

  test('that runs here already is not mailed again; a maturity that this moves is', async () => {
    const { created, report, events, user, strategy } = await begin();
    const of = { userId: user.id, strategyId: strategy.id, status: 'ACTIVE' } as const;
    const one = await make.participation(own.db, of);
    await report(created({ participationId: one.id, maturityDate: undefined }));
    expect(await events()).toEqual([]);
    const other = await make.participation(own.db, of);
    await report(created({ participationId: other.id, externalId: v7() }));
    expect(await events()).toEqual(['maturity-moved']);
  });

  test('that is refused, or waits, is not mailed', async () => {
    const { created, report, events } = await begin();
    expect(await report(created({ amount: 0.001 }))).toMatchObject({ outcome: 'DEAD' });
    expect(await report(created({ strategyCode: 'none' }))).toMatchObject({ outcome: 'WAITING' });
    expect(await events()).toEqual([]);
  });
});

describe('a payout that its provider reports', () => {
  test('of everything is mailed once: the amount in the wallet, and the penalty', async () => {
    const { withdrawn, store, apply, mails } = await running();
    const id = await store(withdrawn(1, { amount: 1_000, penalty: 100 }));
    expect(await apply(id)).toMatchObject({ outcome: 'APPLIED' });
    expect(await apply(id)).toMatchObject({ outcome: 'WITHOUT_EFFECT' });
    expect(await mails()).toEqual([
      {
        event: 'paid-out',
        subject: 'Your investment INV has ended',
        text: [
          'The provider of Harbour Bonds has ended your investment INV of 1000.00 USD.',
          'The wallet of your account has received 900.00 USD.',
          'The provider has kept a penalty of 100.00 USD.',
        ].join('\n\n'),
      },
    ]);
  });

  test('that only confirms what was paid out here is not mailed', async () => {
    const { created, withdrawn, report, events, user, strategy } = await begin();
    const ended = await make.participation(own.db, {
      ...{ userId: user.id, strategyId: strategy.id, status: 'MATURED', durationDays: 30 },
      at: new Date(day(-31)),
    });
    await report(created({ participationId: ended.id }));
    expect(await report(withdrawn(1, { amount: 1_000 }))).toMatchObject({ outcome: 'APPLIED' });
    expect(await events()).toEqual([]);
  });

  test('of parts is mailed once a day, however many there are; nothing is mailed again', async () => {
    const { withdrawn, store, applyAt, mails } = await running();
    const [first, second] = [1, 2].map((days) => new Date(Math.floor(Date.now() / DAY_MS + days) * DAY_MS));
    const part = (amount: number) => store(withdrawn(1, { amount, status: 'PARTIAL' }));
    const ids = [await part(10), await part(20), await part(30)];
    for (const id of ids) expect(await applyAt(id, first!)).toMatchObject({ outcome: 'APPLIED' });
    for (const id of ids) await applyAt(id, second!);
    expect(await mails()).toEqual([
      {
        event: 'part-paid-out',
        subject: 'A part of your investment INV is paid out',
        text: [
          'The provider of Harbour Bonds has paid out a part of your investment INV of 1000.00 USD.',
          'The wallet of your account has received 10.00 USD.',
          'We write about this at most once a day. The transactions of the investment show every part.',
        ].join('\n\n'),
      },
    ]);
    await applyAt(await part(40), second!);
    await applyAt(await part(50), new Date(second!.getTime() + DAY_MS - 1));
    expect((await mails()).map(({ text }) => /received (.*)\./.exec(text)?.[1])).toEqual([
      '10.00 USD',
      '40.00 USD',
    ]);
  });
});

describe('a loss that ends an investment after its payout', () => {
  const lost = (paid: string) => ({
    event: 'paid-out',
    subject: 'Your investment INV has ended',
    text: [
      'The provider of Harbour Bonds has reported a loss of your investment INV of 1000.00 USD. Nothing is left of it, and it has ended.',
      `Before that ${paid} of it were paid to the wallet of your account, in all. They stay yours.`,
    ].join('\n\n'),
  });

  test('is one mail, with all that was paid out, while that about the payout has not gone', async () => {
    const { withdrawn, profit, store, applyAt, mails } = await running();
    const noon = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2);
    const reports = [withdrawn(1, { amount: 200 }), withdrawn(3, { amount: 700 }), profit(2, -100)];
    for (const report of reports)
      expect(await applyAt(await store(report), noon)).toMatchObject({ outcome: 'APPLIED' });
    expect(await mails()).toEqual([lost('900.00 USD')]);
  });

  test('does not tell of the money as if it had come again, when the mail about it has gone', async () => {
    const { withdrawn, profit, report, mails, user } = await running();
    expect(await report(withdrawn(2, { amount: 900 }))).toMatchObject({ outcome: 'APPLIED' });
    expect((await mails()).map(({ event }) => event)).toEqual(['part-paid-out']);
    await execute(
      own.db,
      `UPDATE outbox_messages SET status = 'SENT', attempts = 1, sent_at = now(), sealed_payload = NULL
        WHERE recipient = $1`,
      [user.email],
    );
    expect(await report(profit(1, -100))).toMatchObject({ outcome: 'APPLIED' });
    expect(await mails()).toEqual([lost('900.00 USD')]);
  });
});

describe('a profit', () => {
  test('of an investment that runs, or that the payout includes, is not mailed', async () => {
    const { profit, withdrawn, report, events } = await running();
    expect(await report(profit(1, 5))).toMatchObject({ outcome: 'APPLIED' });
    await report(withdrawn(3, { amount: 1_005 }));
    expect(await report(profit(2, 2))).toMatchObject({ outcome: 'APPLIED' });
    expect(await events()).toEqual(['paid-out']);
  });

  test('that came after the end is in the wallet, and mailed: once, and once a day', async () => {
    const { profit, withdrawn, store, applyAt, report, mails } = await running();
    await report(withdrawn(1, { amount: 1_000 }));
    const noon = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2);
    const late = await store(profit(2, 5.25));
    for (let times = 0; times < 2; times++) await applyAt(late, noon);
    await applyAt(await store(profit(3, 7)), noon);
    expect(await mails()).toMatchObject([
      { event: 'paid-out' },
      {
        event: 'late-profit',
        text: [
          'The provider of Harbour Bonds has reported a profit of your investment INV, which has ended. The wallet of your account has received 5.25 USD.',
          'We write about this at most once a day. The transactions of the investment show every profit.',
        ].join('\n\n'),
      },
    ]);
  });
});

describe('a maturity that its provider moves', () => {
  test('by a day or more is mailed, at most once a day; an older report is not', async () => {
    const { updated, store, applyAt, mails } = await running();
    const noon = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2);
    const moveTo = async (hours: number, maturityDate: string) =>
      applyAt(await store(updated(hours, { maturityDate })), noon);
    await moveTo(2, day(MATURES + 1 - SECOND));
    expect(await mails()).toEqual([]);
    await moveTo(3, day(MATURES + 2 - SECOND));
    expect(await moveTo(1, day(MATURES + 100))).toMatchObject({ outcome: 'WITHOUT_EFFECT' });
    await moveTo(4, day(MATURES + 61));
    expect(await mails()).toEqual([
      {
        event: 'maturity-moved',
        subject: 'Your investment INV matures on another day',
        text: [
          'The provider of Harbour Bonds has moved the maturity of your investment INV of 1000.00 USD.',
          `It now matures on ${named(day(MATURES + 2))} (UTC), and no longer on ${named(day(MATURES + 1))}.`,
          'We write about this at most once a day. Your portfolio shows the day that applies.',
        ].join('\n\n'),
      },
    ]);
  });

  test('to a day that has passed is not mailed: the mail about its maturity follows', async () => {
    const { updated, report, events } = await running();
    expect(await report(updated(1, { maturityDate: hour(6) }))).toMatchObject({ outcome: 'APPLIED' });
    expect(await report(updated(2, { status: 'MATURED' }))).toMatchObject({ outcome: 'APPLIED' });
    expect(await events()).toEqual([]);
  });
});

test('reports that come in the reverse order are mailed once each', async () => {
  const begun = await begin();
  const { created, updated, profit, withdrawn } = begun;
  const life = [
    created(),
    profit(1, 5),
    updated(2, { maturityDate: day(MATURES + 61) }),
    withdrawn(3, { amount: 100, status: 'PARTIAL' }),
    withdrawn(4, { amount: 905 }),
    profit(5, 2),
  ];
  expect(await begun.reportAll([...life].reverse())).toEqual({ waiting: 0 });
  expect(await begun.events()).toEqual([
    'started',
    'maturity-moved',
    'part-paid-out',
    'paid-out',
    'late-profit',
  ]);
});

test('nothing is mailed to an erased account', async () => {
  const begun = await running();
  const { updated, withdrawn, profit, report, user, externalId } = begun;
  await report(profit(1, -1_000));
  await erase(user.id, true);
  expect(await report(updated(2, { maturityDate: day(MATURES + 61) }))).toMatchObject({ outcome: 'APPLIED' });
  expect(await report(withdrawn(3, { amount: 0 }))).toMatchObject({ outcome: 'APPLIED' });
  expect(await begun.events()).toEqual([]);
  expect(
    await firstRow(own.db, 'SELECT status FROM participations WHERE external_id = $1', [externalId]),
  ).toEqual({ status: 'WITHDRAWN' });
  await erase(user.id, false);
});
