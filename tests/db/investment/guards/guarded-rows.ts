import { v7 } from 'uuid';
import { requestWithdrawal } from '../../../../activities/investment/withdrawal/request-withdrawal';
import { policyFrom } from '../../../../db/policy/config';
import type { Db } from '../../../../db/sql/query';
import { invested } from '../../../support/builders/investing/invested';
import { withdrawnByHand } from '../../../support/builders/investing/withdrawing';
import { make } from '../../../support/builders/make';
import { insert } from '../../../support/builders/make/insert';

const at = new Date('2026-06-01T00:00:00.000Z');

/**
 * At least one row of every table of investment, and where a unique constraint is to be violated, two. Participations and
 * strategies are all of the provider `alpha`, in every status.
 */
export async function guardedRows(db: Db): Promise<void> {
  const { code } = await make.provider(db, { code: 'alpha' });
  const category = await make.strategyCategory(db);
  await make.strategyCategory(db);
  const strategy = await make.strategy(db, {
    ...{ providerCode: code, categoryId: category.id, lockDays: 0, totalCapacityMinor: 100_000_00 },
  });
  await make.strategy(db, { providerCode: code, categoryId: category.id });
  await make.strategyDocument(db, strategy.id);
  const of = { strategyId: strategy.id, at };
  await make.participation(db, of);
  const running = await make.participation(db, {
    ...of,
    ...{ status: 'ACTIVE', externalId: 'running', profits: [{ amountMinor: 100 }] },
    values: [{ amountMinor: 1_000_00 }],
  });
  await make.participation(db, { ...of, status: 'ACTIVE', profits: [{ amountMinor: 200 }] });
  await make.participation(db, { ...of, status: 'MATURED', externalId: 'matured' });
  await make.participation(db, { ...of, status: 'WITHDRAWN' });
  await withdrawnByHand(db);
  await withdrawnByHand(db);
  await toWallet(db, strategy.id);
  await rowsOfReports(db, code, running);
  await rowsOfPayments(db);
  await rowsOfProviderPayments(db, code);
}

/** Payments of a provider that owes what has matured, and a write-off of it. */
async function rowsOfProviderPayments(db: Db, code: string): Promise<void> {
  const { id: entered_by } = await make.admin(db);
  for (const bank_reference of ['BANK 1', 'BANK 2'])
    await insert(db, 'investment_provider_payments', {
      ...{ id: v7(), provider_code: code, direction: 'RECEIVED', amount_minor: 5, currency: 'USD' },
      ...{ bank_reference, entered_by, created_at: at },
    });
  await insert(db, 'investment_provider_write_offs', {
    ...{ id: v7(), provider_code: code, amount_minor: 5, currency: 'USD', reason: 'It was wound up.' },
    ...{ decided_by: entered_by, created_at: at },
  });
}

async function toWallet(db: Db, strategyId: string): Promise<void> {
  const { id: userId } = await make.user(db, { kycLevel: 'STANDARD' });
  const { id: participationId } = await make.participation(db, { status: 'ACTIVE', userId, strategyId });
  await requestWithdrawal(
    { db, payouts: { providers: new Map(), current: 'bank' }, policy: policyFrom({}) },
    {
      ...{ withdrawalId: v7(), participationId, userId, method: 'BALANCE', detailsNoteId: null },
      ...{ acceptPenalty: true, at: new Date().toISOString() },
    },
  );
}

/** The reports of providers, and the results of pushes to them. */
async function rowsOfReports(db: Db, code: string, { id, userId }: { id: string; userId: string }) {
  const of = { provider_code: code };
  const found = { found_at: at, last_seen_at: at };
  await insert(db, 'investment_differences', {
    ...{ id: v7(), participation_id: id, kind: 'PROFITS_DIFFER', ...of, ...found },
  });
  await insert(db, 'investment_differences', {
    ...{ id: v7(), investment_external_id: 'unknown', kind: 'UNKNOWN_HERE', ...of, ...found },
  });
  await insert(db, 'investment_reports', {
    ...{ type: 'PROFIT', external_id: 'profit', investment_external_id: 'running', amount: 1, ...of },
    ...{ webhook_event_id: v7(), reported_at: at, occurred_at: at },
  });
  const money = { currency: 'USD', ...of };
  await insert(db, 'investment_provider_debts', { ...money, owed_minor: -5, counted_at: at });
  await insert(db, 'provider_day_totals', { ...money, day: '2026-06-01', credited_minor: 5 });
  await insert(db, 'kyc_pushes', { ...of, user_id: userId });
  await insert(db, 'kyc_syncs', { ...of, slot: '2026-06-01', started_at: at, next_call_at: at });
  await insert(db, 'kyc_provider_reports', {
    ...{ id: v7(), user_id: userId, status: 'APPROVED', level: 'STANDARD', ...of },
    ...{ webhook_event_id: v7(), received_at: at },
  });
  await make.signedIn(db, code, userId);
  for (const external_event_id of ['first', 'second'])
    await insert(db, 'webhook_events', {
      ...{ id: v7(), provider: code, external_event_id, kind: 'INVESTMENT', type: 'profit.distributed' },
      ...{ body: '{}', body_hash: 'ab', status: 'RECEIVED', received_at: at },
    });
  const transfer = { amount_minor: 1, currency: 'USD', status: 'ARRIVED', created_at: at, ended_at: at };
  for (const key of ['one', 'other']) await insert(db, 'sandbox_transfers', { key, id: v7(), ...transfer });
  await insert(db, 'media', {
    ...{ name: 'a'.repeat(64), content_type: 'image/webp', bytes: 1, width: 1, height: 1 },
    ...{ purpose: 'STRATEGY', created_at: at },
  });
}

/** A payment that was taken, given back, and taken back by its bank, of a participation. */
async function rowsOfPayments(db: Db): Promise<void> {
  const { id: participationId, attemptId } = await invested(db);
  const of = { participation_id: participationId, amount_minor: 5, currency: 'USD' };
  const captureId = v7();
  await insert(db, 'payment_captures', {
    ...{ id: captureId, attempt_id: attemptId, provider: 'sandbox', provider_payment_id: 'one', ...of },
    ...{ applied: true, captured_at: at },
  });
  await insert(db, 'payment_refunds', {
    ...{ id: v7(), capture_id: captureId, reason: 'LATE_PAYMENT', status: 'PROCESSING', ...of },
    created_at: at,
  });
  await insert(db, 'chargebacks', {
    ...{ id: v7(), capture_id: captureId, provider: 'sandbox', provider_chargeback_id: 'one', ...of },
    ...{ status: 'TAKEN', created_at: at, updated_at: at },
  });
}
