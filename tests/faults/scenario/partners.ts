import { execute, firstRow, type Db } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import type { Client } from '../requests/client';
import type { Random } from '../random';

/** Partners above each customer, so that a sale pays commissions on several levels. */
const LEVELS = 5;

/** A chain of partners, from the top, of whom each has the one before as sponsor. */
export async function partnerChain(db: Db): Promise<string[]> {
  const chain: string[] = [];
  for (let level = 0; level < LEVELS; level++)
    chain.push((await make.partner(db, { sponsorId: chain.at(-1) ?? null })).id);
  return chain;
}

/** Records that these people were referred by the partner at the end of the chain, or by those above in turns. */
export async function refer(db: Db, chain: readonly string[], userIds: readonly string[]): Promise<void> {
  const sponsors = userIds.map((_, index) => chain.at(-1 - (index % chain.length)));
  await execute(
    db,
    `UPDATE users u SET sponsor_id = r.sponsor FROM unnest($1::uuid[], $2::uuid[]) AS r (id, sponsor) WHERE u.id = r.id`,
    [userIds, sponsors],
  );
}

/** The partner at the top of all chains; every sale of a buyer counts for it. */
export async function topPartner(db: Db): Promise<string> {
  const top = await firstRow<{ id: string }>(db, 'SELECT id FROM partners ORDER BY number LIMIT 1');
  if (!top) throw new Error('There is no partner.');
  return top.id;
}

interface Joining {
  newcomer: Client;
  random: Random;
}

/** A newcomer joins the partner programme for a fee: pays it at once, late, twice, after a decline, or not at all. */
export async function joins(actors: Joining): Promise<void> {
  const { newcomer, random } = actors;
  const button = random.pick(['pay', 'pay', 'pay-twice', 'pay-late', 'decline', null] as const);
  const page = await asksToJoin(newcomer);
  if (page === null || button === null) return;
  await press(newcomer, page, button);
  if (button !== 'decline') return;
  const next = await asksToJoin(newcomer);
  if (next !== null) await press(newcomer, next, 'pay');
}

/** Asks to join by card; answers the page to pay on, if any. */
async function asksToJoin(newcomer: Client): Promise<string | null> {
  const { answer } = await newcomer.send({
    operation: 'join',
    method: 'POST',
    path: '/api/v1/mlm/partner/join',
    body: { acceptTerms: true, paymentMethod: 'CARD' },
    keyed: true,
  });
  const payment = answer?.body.data?.['payment'];
  if (typeof payment !== 'object' || payment === null || !('paymentUrl' in payment)) return null;
  return typeof payment.paymentUrl === 'string' ? payment.paymentUrl : null;
}

async function press(newcomer: Client, page: string, button: string): Promise<void> {
  const { pathname, search } = new URL(page);
  await newcomer.send({ operation: 'press', method: 'POST', path: `${pathname}/${button}${search}` });
}
