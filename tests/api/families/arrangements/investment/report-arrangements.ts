import { Webhook } from 'standardwebhooks';
import { v7 } from 'uuid';
import { execute } from '../../../../../db/sql/query';
import { make } from '../../../../support/builders/make';
import type { Arrange } from '../arranged';

const report: Arrange = async ({ world }) => {
  const { code, webhookSecret } = await make.provider(world.db);
  const [id, at] = [v7(), new Date()];
  const text = JSON.stringify({ type: 'investment.seen', timestamp: at.toISOString(), data: {} });
  return {
    params: { providerCode: code },
    sending: (request) =>
      request
        .set('content-type', 'application/json')
        .set('webhook-id', id)
        .set('webhook-timestamp', String(Math.floor(at.getTime() / 1000)))
        .set('webhook-signature', new Webhook(webhookSecret).sign(id, at, text))
        .send(text),
  };
};

/** A report that is dead, because what it says is of no agreed form. */
const dead: Arrange = async ({ world }) => {
  const id = v7();
  await execute(
    world.db,
    `INSERT INTO webhook_events (id, kind, provider, external_event_id, type, body, body_hash, status, attempts,
       last_error, received_at, started_at, processed_at)
     VALUES ($1, 'INVESTMENT', 'alpha', $2, 'profit.distributed', '{}', '', 'DEAD', 1,
       'It has no data, or its timestamp is not valid.', now(), now(), now())`,
    [id, v7()],
  );
  return { params: { id } };
};

/** A profit that is dead, because it is beyond the bounds, of an investment that is known. */
const profit: Arrange = async ({ world }) => {
  const [id, investmentExternalId] = [v7(), v7()];
  const { id: strategyId, providerCode } = await make.strategy(world.db);
  await make.participation(world.db, { strategyId, externalId: investmentExternalId, status: 'ACTIVE' });
  const data = { externalId: v7(), investmentExternalId, amount: 1_500, contact: 'a@b.example' };
  const why = `Its 1500.00 USD is more than 100 % of the principal of the investment ${investmentExternalId}, 1000.00 USD: a person has to confirm it.`;
  await execute(
    world.db,
    `INSERT INTO webhook_events (id, kind, provider, external_event_id, type, body, body_hash, status, attempts,
       last_error, received_at, started_at, processed_at)
     VALUES ($1, 'INVESTMENT', $2, $3, 'profit.distributed', $4, '', 'DEAD', 1, $5, now(), now(), now())`,
    [id, providerCode, v7(), JSON.stringify({ data }), why],
  );
  return { params: { id } };
};

/** An investment that a provider has reported and that nobody here has. */
const unknown: Arrange = async ({ world }) => {
  const id = v7();
  await execute(
    world.db,
    `INSERT INTO investment_differences (id, provider_code, investment_external_id, kind, currency, reported_minor,
       found_at, last_seen_at) VALUES ($1, 'alpha', $2, 'UNKNOWN_HERE', 'USD', 50000, now(), now())`,
    [id, `ALPHA-${id}`],
  );
  return { params: { id } };
};

/** Reports of providers, and the decisions of administrators on them. */
export const reportArrangements: Readonly<Record<string, Arrange>> = {
  'POST /investment/webhooks/:providerCode': report,
  'GET /admin/webhook-events/:id': profit,
  'POST /admin/webhook-events/:id/discard': dead,
  'POST /admin/webhook-events/:id/replay': dead,
  'POST /admin/investment/differences/:id/accept': unknown,
};
