import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { rows, type Db } from '../../../db/sql/query';
import { CARD, REFUSING_CARD, SILENT_CARD } from '../../support/builders/investing/withdrawing';
import { make } from '../../support/builders/make';
import { payee, type Payee } from '../../support/builders/paying-out/payees';
import { signIn } from '../../support/builders/sign-in';
import type { Fault, FaultContext } from '../fault';
import type { Stack } from '../platform/stack';
import { sendOnce, type Answer } from '../requests/client';
import { killWhile, type Victim } from './partners/kill-while';

/** Payouts of a scenario, by the card that the sandbox gets: one that takes, refuses, or loses the first answer. */
const CARDS = [CARD, CARD, SILENT_CARD, SILENT_CARD, REFUSING_CARD];
const ANSWERED_WITHIN_MS = 75_000;

interface Asking {
  payees: (Payee & { token: string })[];
  /** Two administrators, who decide at the same time. */
  admins: string[];
}

async function prepared(db: Db): Promise<Asking> {
  const payees = [];
  for (const [n, cardNumber] of CARDS.entries()) {
    const one = await payee(db, {
      availableMinor: 40_00,
      cardNumber,
      kind: n % 2 === 0 ? 'PARTNER' : 'WALLET',
    });
    payees.push({ ...one, token: await signIn({ db }, one.user) });
  }
  const admins = [await signIn({ db }, await make.admin(db)), await signIn({ db }, await make.admin(db))];
  return { payees, admins };
}

/** Sends a request under one key until there is an answer that says what became of it. */
async function until(stack: Stack, path: string, token: string, body: object = {}): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() };
  const deadline = Date.now() + ANSWERED_WITHIN_MS;
  for (;;) {
    const sent = { method: 'POST' as const, path: `/api/v1${path}`, body, headers };
    const answer = await sendOnce(stack.frontPort, sent).catch(() => null);
    const isFinal =
      answer !== null && answer.status < 500 && answer.body.error?.code !== 'IDEMPOTENCY_IN_PROGRESS';
    if (isFinal) return answer;
    if (Date.now() > deadline) throw new Error(`${path} was not answered`);
    await pause(200);
  }
}

/** Somebody requests a payout; both administrators approve it and send it. */
async function paysOut(
  { stack }: FaultContext,
  { admins }: Asking,
  one: Asking['payees'][number],
): Promise<void> {
  const isPartner = one.kind === 'PARTNER';
  const ask = isPartner ? '/mlm/payouts/request' : '/users/me/balance/withdraw';
  const { status, body } = await until(stack, ask, one.token, { amount: 40 });
  const id = body.data?.[isPartner ? 'id' : 'withdrawalId'];
  if (status !== 201 || typeof id !== 'string') throw new Error(`a payout was answered ${status}`);
  const path = `${isPartner ? '/admin/payouts' : '/admin/wallet-withdrawals'}/${id}`;
  await Promise.all(admins.map((token) => until(stack, `${path}/approve`, token)));
  await Promise.all(admins.map((token) => until(stack, `${path}/process`, token)));
}

interface Outcome {
  id: string;
  status: string;
  masked: string;
  arrived: number;
  refused: number;
  sendings: number;
}

/** The bank's own book has one transfer for each COMPLETED payout, and none for any other. */
async function untruePayouts(db: Db, { payees }: Asking): Promise<string[]> {
  const found = await rows<Outcome>(
    db,
    `SELECT p.id, p.status, p.masked_details AS masked, p.sendings,
       (SELECT count(*)::int FROM sandbox_transfers s
         WHERE split_part(s.key, ':', 1) = p.id::text AND s.status = 'ARRIVED') AS arrived,
       (SELECT count(*)::int FROM sandbox_transfers s
         WHERE split_part(s.key, ':', 1) = p.id::text AND s.status = 'REFUSED') AS refused
     FROM payouts p WHERE p.user_id = ANY ($1::uuid[])`,
    [payees.map(({ userId }) => userId)],
  );
  const isRight = ({ status, masked, arrived, refused, sendings }: Outcome): boolean =>
    masked.endsWith(REFUSING_CARD.slice(-4))
      ? status === 'APPROVED' && arrived === 0 && refused === sendings
      : status === 'COMPLETED' && arrived === 1 && refused === 0 && sendings === 1;
  return [
    ...(found.length === payees.length ? [] : [`${found.length} payouts of ${payees.length} users`]),
    ...found.filter((one) => !isRight(one)).map((one) => `payout ${JSON.stringify(one)}`),
  ];
}

/** A point at which a worker is held, between two steps of a payout. */
interface Point {
  when: string;
  lock: string;
  waits: string;
}

const POINTS: readonly Point[] = [
  { when: 'is held', lock: 'LOCK TABLE payouts IN SHARE MODE', waits: 'payouts' },
  { when: 'is decided on', lock: 'LOCK TABLE payout_decisions IN SHARE MODE', waits: 'payout_decisions' },
  { when: 'is sent', lock: 'LOCK TABLE sandbox_transfers IN SHARE MODE', waits: 'sandbox_transfers' },
  { when: 'is mailed', lock: 'LOCK TABLE outbox_messages IN SHARE MODE', waits: 'outbox_messages' },
];

function killing(victim: Victim, { when, ...point }: Point): Fault {
  let asking: Asking;
  return {
    name: `payout ${when}: kill ${victim}`,
    async prepare({ db }) {
      asking = await prepared(db);
    },
    async inject(context) {
      const all = asking.payees.map((one) => paysOut(context, asking, one));
      // Without this a failure during the kill would be unhandled.
      const ended = Promise.all(all);
      ended.catch(() => undefined);
      await killWhile(context, { victim, ...point }, () => Promise.resolve());
      await ended;
    },
    expect: ({ stack }) => untruePayouts(stack.db, asking),
  };
}

/** kill -9 between the steps of payouts: hold, decision, transfer, mail. */
export const payouts: readonly Fault[] = POINTS.flatMap((point) =>
  (['all workers', 'all APIs', 'PostgreSQL', 'Temporal'] as const).map((victim) => killing(victim, point)),
);
