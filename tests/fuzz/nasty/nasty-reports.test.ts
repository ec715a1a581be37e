import { Webhook } from 'standardwebhooks';
import { v7 } from 'uuid';
import { firstRow, rows } from '../../../db/sql/query';
import { startProcesses } from '../../../workers/start';
import { webhookSweepProcess } from '../../../workflows/commerce/webhook/webhook-sweep.contract';
import { eventually } from '../../support/checks/eventually';
import { make } from '../../support/builders/make';
import { shopper } from '../../support/builders/shop';
import {
  disputeObject,
  sessionObject,
  stripeEvent,
  stripeSecrets,
  stripeSignature,
} from '../../support/fakes/stripe-events';
import { testVariables } from '../../support/worlds/variables';
import { ownWorld } from '../../support/worlds/world';
import { send, sendAll, inShort } from '../send';
import { nastyJson } from './nasty-values';

const PLACE = JSON.stringify('here stands something nasty');

const world = ownWorld({ variables: { STRIPE_WEBHOOK_SECRETS: stripeSecrets.join(',') } });

/** A provider's report of an existing payment. */
async function usualData() {
  const product = await make.product(world.db);
  const { order } = await shopper(world, [{ productId: product.id }]);
  const { orderId } = await order();
  const attempt = await firstRow<{ key: string; amountMinor: number }>(
    world.db,
    `SELECT id AS key, amount_minor FROM payment_attempts WHERE order_id = $1`,
    [orderId],
  );
  return { ...attempt!, paymentId: v7(), currency: 'USD' };
}

/**
 * Every event is applied, ignored or parked; none is forgotten. Of a burst, the API leaves to the sweep what it cannot
 * start at once; the schedule that starts it every minute does not run here.
 */
async function allIsSettled(): Promise<void> {
  await eventually(async () => {
    await startProcesses(world.temporal)(webhookSweepProcess, {});
    await world.temporal.workflow.getHandle(webhookSweepProcess.id({})).result();
    const unsettled = await rows(
      world.db,
      `SELECT body FROM webhook_events e WHERE status = 'RECEIVED'
           AND NOT EXISTS (SELECT 1 FROM parked_processes WHERE entity_id = e.id::text)`,
    );
    expect(unsettled).toEqual([]);
  });
}

test('signed reports break nothing, whatever they say: each is applied, ignored, awaited or put to a person', async () => {
  const data = await usualData();
  const bodies = nastyJson.flatMap((nasty) => [
    nasty,
    `{"type":${nasty},"data":${JSON.stringify(data)}}`,
    `{"type":"payment.paid","data":${nasty}}`,
    ...Object.keys(data).map((name) => {
      const text = JSON.stringify({ ...data, [name]: JSON.parse(PLACE) });
      return `{"type":"payment.paid","data":${text.replace(PLACE, () => nasty)}}`;
    }),
  ]);
  const webhook = new Webhook(testVariables['SANDBOX_SECRET']!);
  const wrongs = await sendAll(bodies, async (body) => {
    const [id, at] = [v7(), new Date()];
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': webhook.sign(id, at, body),
    };
    const request = { method: 'POST', target: '/api/v1/payments/webhooks/sandbox', headers, body };
    const answer = await send(world.url, request);
    return [202, 400].includes(answer.status) ? [] : [inShort(request, answer)];
  });
  expect(wrongs.flat()).toEqual([]);

  await allIsSettled();
});

test('signed events of Stripe break nothing either', async () => {
  const { key, amountMinor } = await usualData();
  const session = sessionObject(key, { amount_total: amountMinor });
  const dispute = disputeObject('pi_1');
  // Of each, the fields that our code reads and so has to check.
  const events: [type: string, object: object, fields: string[]][] = [
    ['checkout.session.completed', session, ['metadata', 'payment_intent', 'amount_total']],
    ['charge.dispute.funds_withdrawn', dispute, ['id', 'amount']],
  ];
  const bodies = nastyJson.flatMap((nasty) => [
    nasty,
    `{"id":"evt_1","type":${nasty},"data":{"object":{}}}`,
    `{"id":${nasty},"type":"customer.created","data":{"object":{}}}`,
    ...events.flatMap(([type, object, fields]) =>
      fields.map((name) =>
        JSON.stringify(stripeEvent(type, { ...object, [name]: JSON.parse(PLACE) })).replace(
          PLACE,
          () => nasty,
        ),
      ),
    ),
  ]);
  const wrongs = await sendAll(bodies, async (body) => {
    const headers = { 'content-type': 'application/json', 'stripe-signature': stripeSignature(body) };
    const request = { method: 'POST', target: '/api/v1/payments/webhooks/stripe', headers, body };
    const answer = await send(world.url, request);
    return [200, 202, 400].includes(answer.status) ? [] : [inShort(request, answer)];
  });
  expect(wrongs.flat()).toEqual([]);
  await allIsSettled();
});
