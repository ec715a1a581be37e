import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import type { Db } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import type { Client } from '../requests/client';
import { sendOnce } from '../requests/client';
import type { Random } from '../random';

/** A strategy of a scenario, and what its provider signs with. */
export interface Offer {
  strategyId: string;
  strategyCode: string;
  providerCode: string;
  webhookSecret: string;
}

/** A strategy with enough room, of a provider that takes nothing from us. */
export async function openStrategy(db: Db): Promise<Offer> {
  const { code: providerCode, webhookSecret } = await make.provider(db, { apiBase: null, ssoAudience: null });
  const { id: strategyId, strategyCode } = await make.strategy(db, { providerCode });
  return { strategyId, strategyCode, providerCode, webhookSecret };
}

interface Investing {
  client: Client;
  buyer: { id: string };
  shop: { offer: Offer };
  random: Random;
  port: () => number;
}

const AMOUNT = 100;
const DAYS = 30;
/** A provider sends a report again until it is stored. */
const REPORTED_WITHIN_MS = 75_000;

/**
 * Somebody invests by balance or card; the provider reports the investment and profits, in any order and some twice; then
 * the owner withdraws, the provider pays it out, both at once, or it goes on.
 */
export async function invests(actors: Investing): Promise<void> {
  const { client, random } = actors;
  const paymentMethod = random.pick(['BALANCE', 'CARD']);
  const opened = await client.send({
    operation: 'invest',
    method: 'POST',
    path: '/api/v1/investment/participations',
    keyed: true,
    body: {
      ...{ strategyId: actors.shop.offer.strategyId, amount: AMOUNT, durationDays: DAYS, paymentMethod },
      ...{ acceptRiskDisclosure: true, acceptTerms: true },
    },
  });
  const data = opened.answer?.body.data;
  const participationId = data?.['participationId'];
  if (typeof participationId !== 'string') return;
  const externalId = `inv-${participationId}`;
  await Promise.all([
    paymentMethod === 'CARD' && pays(actors, data?.['payment']),
    reportsInvestment(actors, { participationId, externalId }),
  ]);
  await pause(random.int(0, 1_000));
  const ends = random.pick(['owner', 'provider', 'both', 'neither']);
  await Promise.all([
    (ends === 'owner' || ends === 'both') && withdraws(actors, participationId),
    (ends === 'provider' || ends === 'both') &&
      report(actors, 'investment.withdrawn', {
        ...{ externalId: `out-${participationId}`, investmentExternalId: externalId, amount: AMOUNT },
      }),
  ]);
}

async function pays({ client, random }: Investing, payment: unknown): Promise<void> {
  if (typeof payment !== 'object' || payment === null || !('paymentUrl' in payment)) return;
  if (typeof payment.paymentUrl !== 'string') return;
  const { pathname, search } = new URL(payment.paymentUrl);
  const button = random.pick(['pay', 'pay', 'pay', 'pay-twice', 'decline']);
  await client.send({ operation: 'press', method: 'POST', path: `${pathname}/${button}${search}` });
}

async function withdraws({ client }: Investing, participationId: string): Promise<void> {
  await client.send({
    operation: 'withdraw',
    method: 'POST',
    path: `/api/v1/investment/participations/${participationId}/withdraw`,
    keyed: true,
    body: { withdrawalMethod: 'BALANCE', acceptPenalty: true },
  });
}

async function reportsInvestment(
  actors: Investing,
  { participationId, externalId }: { participationId: string; externalId: string },
): Promise<void> {
  const { buyer, shop, random } = actors;
  const created = {
    ...{ externalId, userId: buyer.id, participationId, strategyCode: shop.offer.strategyCode },
    ...{ amount: AMOUNT, currency: 'USD', startDate: new Date().toISOString() },
  };
  const profit = (n: number) => ({
    ...{ externalId: `profit-${n}-${participationId}`, investmentExternalId: externalId, amount: n },
  });
  const reports = [
    () => report(actors, 'investment.created', created),
    () => report(actors, 'profit.distributed', profit(1)),
    () => report(actors, 'profit.distributed', profit(2)),
  ];
  if (random.chance(0.5)) reports.reverse();
  if (random.chance(0.3)) await Promise.all(reports.map((send) => send()));
  else for (const send of reports) await send();
}

/** Sends one report, signed, under one id until it is stored; sometimes twice at once. */
async function report({ shop, random, port }: Investing, type: string, data: object): Promise<void> {
  const { providerCode, webhookSecret } = shop.offer;
  const id = randomUUID();
  const body = JSON.stringify({ type, timestamp: new Date().toISOString(), data });
  const once = async (): Promise<boolean> => {
    const at = new Date();
    const answer = await sendOnce(port(), {
      method: 'POST',
      path: `/api/v1/investment/webhooks/${providerCode}`,
      body: Buffer.from(body),
      headers: {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(webhookSecret).sign(id, at, body),
      },
    }).catch(() => null);
    return answer?.status === 200 || answer?.status === 202;
  };
  const deadline = Date.now() + REPORTED_WITHIN_MS;
  const until = async (): Promise<void> => {
    while (!(await once()))
      if (Date.now() > deadline) throw new Error(`report ${type} was not stored`);
      else await pause(500);
  };
  await Promise.all(random.chance(0.3) ? [until(), until()] : [until()]);
}
