import { v7 } from 'uuid';
import {
  WAITING_KINDS,
  type WaitingKind,
} from '../../../../db/administration/operations/waiting/waiting-work.reads';
import { park } from '../../../../db/administration/operations/parking.writes';
import { execute } from '../../../../db/sql/query';
import { given } from '../../../support/builders/given';
import { withdrawnByHand } from '../../../support/builders/investing/withdrawing';
import { make } from '../../../support/builders/make';
import { insert } from '../../../support/builders/make/insert';
import { deadMessages } from '../../../support/builders/make/messages';
import { soldEvent } from '../../../support/builders/make/partners/partner-sales';
import { payee, payoutSteps, processed } from '../../../support/builders/paying-out/payees';
import { collected } from '../../../support/builders/payouts/bank-files';
import { startAdminWorld, type AdminWorld } from '../admin-world';

let staff: AdminWorld;
beforeAll(async () => {
  staff = await startAdminWorld({ worker: false });
});
afterAll(() => staff.world.teardown());

const db = () => staff.world.db;

/** Two reports in this status, of a provider of payments. */
const reports = (status: string): Promise<unknown> =>
  execute(
    db(),
    `INSERT INTO webhook_events (id, provider, external_event_id, type, body, body_hash, status, received_at, started_at)
     SELECT gen_random_uuid(), 'sandbox', $1 || n, 'payment.paid', '{}', 'x', $1, now(), now() FROM generate_series(1, 2) n`,
    [status],
  );

const event = async (parkedAt: Date | null): Promise<void> => {
  const id = await soldEvent(db(), { at: new Date() });
  if (parkedAt !== null)
    await execute(
      db(),
      `UPDATE event_deliveries SET state = 'PARKED', state_since = $2
        WHERE position = (SELECT position FROM domain_events WHERE id = $1)`,
      [id, parkedAt],
    );
};

/** Two payouts of this kind that a person sends. */
async function payouts(kind: 'PARTNER' | 'WALLET'): Promise<void> {
  for (const _ of [1, 2]) await processed(db(), payoutSteps(db(), null), await payee(db(), { kind }), 12_34);
}

/** Makes two or more of each kind that wait, and of some kinds others that do not. */
const arranged: Record<WaitingKind, () => Promise<unknown>> = {
  PARKED_PROCESSES: async () => {
    for (const entityId of [v7(), v7()]) {
      const entry = { workflowId: `suspension:${entityId}`, type: 'suspension', entityId };
      const why = { reason: 'x', lastError: 'x', since: new Date().toISOString(), runId: v7() };
      await park(db(), { ...entry, ...why });
    }
    await execute(
      db(),
      `INSERT INTO parked_processes (workflow_id, type, entity_id, reason, last_error, since, run_id, state, retried_at)
       VALUES ('x', 'suspension', 'x', 'x', 'x', now(), 'run', 'RETRYING', now())`,
    );
  },
  DEAD_REPORTS: () => reports('DEAD'),
  WAITING_REPORTS: () => reports('WAITING'),
  PROVIDER_DIFFERENCES: async () => {
    await make.difference(db());
    await make.difference(db());
  },
  INVESTMENT_DIFFERENCES: async () => {
    for (const accepted of [false, false, true]) {
      const { code } = await make.provider(db());
      const { id: strategyId } = await make.strategy(db(), { providerCode: code });
      const { id } = await make.participation(db(), { strategyId, status: 'ACTIVE' });
      const at = new Date();
      await insert(db(), 'investment_differences', {
        ...{ id: v7(), participation_id: id, provider_code: code, kind: 'NOT_REPORTED', held_minor: 1 },
        ...{ found_at: at, last_seen_at: at },
        ...(accepted && { accepted_at: at, accepted_by: staff.admin.id, accepted_because: 'It is known.' }),
      });
    }
  },
  DEAD_MESSAGES: async () => {
    await deadMessages(db(), 3);
    const expired = await deadMessages(db(), 120);
    await execute(
      db(),
      `UPDATE outbox_messages SET sealed_payload = NULL, content_gone = 'EXPIRED' WHERE id = ANY ($1::uuid[])`,
      [expired],
    );
  },
  WAITING_EVENTS: async () => {
    await event(null);
    await event(null);
  },
  PARKED_EVENTS: async () => {
    await event(new Date());
    await event(new Date());
    await event(new Date());
  },
  OWED_REFUNDS: async () => {
    for (const method of ['BANK_TRANSFER', 'BANK_TRANSFER', 'CARD'] as const)
      await given(db()).order({ method }).paid().cancelled();
  },
  PAYOUTS_BY_HAND: () => payouts('PARTNER'),
  WALLET_WITHDRAWALS_BY_HAND: () => payouts('WALLET'),
  WITHDRAWALS_BY_HAND: async () => {
    await withdrawnByHand(db());
    await withdrawnByHand(db());
  },
  COLLECTED_TRANSFERS: () => collected(db(), [1_00, 2_00]),
};

interface Waiting {
  kind: WaitingKind;
  count: number;
  path: string;
}

test('the list that the summary names has as many as it counts: of every kind', async () => {
  // An open difference with a provider stops payouts.
  const last: WaitingKind = 'PROVIDER_DIFFERENCES';
  for (const kind of WAITING_KINDS.filter((one) => one !== last)) await arranged[kind]();
  await arranged[last]();
  const { body } = await staff.ask('get', '/admin/operations');
  const summary = body.data.summary as Waiting[];
  expect(summary.map(({ kind }) => kind)).toEqual(WAITING_KINDS);
  expect(summary.filter(({ count }) => count < 2)).toEqual([]);
  expect(summary.find(({ kind }) => kind === 'DEAD_MESSAGES')?.count).toBe(3);
  for (const { kind, count, path } of summary) {
    const listed = await staff.ask('get', path.replace('/api/v1', ''));
    expect([kind, listed.status, listed.body.meta?.pagination.total]).toEqual([kind, 200, count]);
  }
});

test.each([
  ['true', 3],
  ['false', 120],
])('messages that were given up, resendable: %s', async (resendable, count) => {
  const { body } = await staff.ask('get', `/admin/messages?resendable=${resendable}&pageSize=100`);
  expect(body.meta.pagination.total).toBe(count);
  const messages = body.data.messages as { resendable: boolean }[];
  expect(new Set(messages.map((message) => String(message.resendable)))).toEqual(new Set([resendable]));
});
