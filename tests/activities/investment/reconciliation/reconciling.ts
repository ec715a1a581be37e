import { matureWhenDue } from '../../../../activities/investment/participation/mature-participation';
import { reconcileInvestments } from '../../../../activities/investment/reconciliation/reconcile-investments';
import { policyFrom } from '../../../../db/policy/config';
import { execute, rows, type Db } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { asActivity } from '../../../support/servers/run-activity';
import { reporting, type Report } from '../provider-event/reporting';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Two hours from now, so that what was reported just now counts. */
export const inTwoHours = (): Date => new Date(Date.now() + 2 * HOUR_MS);

export const ago = (days: number): Date => new Date(Date.now() - days * DAY_MS);
export const iso = (days: number): string => ago(days).toISOString();

/** Makes everything that was reported and booked until now so much older. */
export async function age(db: Db, hours: number): Promise<void> {
  const older = `- interval '${hours} hours'`;
  await execute(db, `UPDATE webhook_events SET received_at = received_at ${older}`);
  await execute(db, `UPDATE investment_reports SET reported_at = reported_at ${older}`);
  await execute(db, `UPDATE investment_transactions SET created_at = created_at ${older}`);
}

/** Compares at a time; answers the open differences of a provider. */
export async function compare(
  db: Db,
  provider: string,
  at = inTwoHours(),
  page = 3,
  providerDebtLimit = 1_100,
) {
  const deps = { longDb: db, policy: { eventPatienceDays: 3, providerDebtLimit }, page };
  await asActivity(reconcileInvestments)(deps, at, new AbortController().signal);
  return rows(
    db,
    `SELECT d.kind, d.investment_external_id AS name, d.held_minor, d.reported_minor, d.currency
       FROM investment_differences d
      WHERE d.provider_code = $1 AND d.resolved_at IS NULL AND d.accepted_at IS NULL ORDER BY kind, name`,
    [provider],
  );
}

/** A provider with a strategy and a user, and the reports that it sends. */
export async function providerOf(db: Db, currency = 'USD') {
  const { code } = await make.provider(db);
  const strategy = await make.strategy(db, { providerCode: code, currency });
  const { id: userId } = await make.user(db, { kycLevel: 'STANDARD' });
  await make.signedIn(db, code, userId);
  const { report, store, apply } = reporting(db, code);
  let reports = 0;
  return {
    ...{ code, strategy, userId, report, store, apply },
    /** An investment that the provider reports, and that becomes a participation. */
    created: async (externalId: string, amount = 1_000, more: object = {}) => {
      const data = { externalId, userId, strategyCode: strategy.strategyCode, amount, currency, ...more };
      const startDate = new Date(Date.now() - 10 * DAY_MS).toISOString();
      return report({ type: 'investment.created', data: { startDate, ...data } });
    },
    profit: (
      investmentExternalId: string,
      amount: number,
      externalId = `p${reports++}`,
      more: Partial<Report> = {},
    ) => report({ type: 'profit.distributed', data: { externalId, investmentExternalId, amount }, ...more }),
    withdrawn: (
      investmentExternalId: string,
      amount: number,
      { penalty, status, ...more }: Partial<Report> & { penalty?: number; status?: string } = {},
    ) =>
      report({
        type: 'investment.withdrawn',
        data: {
          externalId: `w${reports++}`,
          investmentExternalId,
          amount,
          ...(penalty !== undefined && { penalty }),
          ...(status !== undefined && { status }),
        },
        ...more,
      }),
  };
}

/** A participation that was paid for here, and is known to its provider as `inv`. */
export async function paidHere(db: Db, maturityDays = 5) {
  const alpha = await providerOf(db);
  const of = { userId: alpha.userId, strategyId: alpha.strategy.id };
  const at = ago(100);
  const { id } = await make.participation(db, { ...of, status: 'ACTIVE', at, amountMinor: 1_000_00 });
  const term = { startDate: iso(100), maturityDate: iso(maturityDays) };
  expect(await alpha.created('inv', 1_000, term)).toMatchObject({ outcome: 'APPLIED' });
  return { ...alpha, id };
}

/** The same, paid out here at its maturity. */
export async function maturedHere(db: Db, days = 5) {
  const alpha = await paidHere(db, days);
  const { id, userId } = alpha;
  await matureWhenDue(db, policyFrom({}), { participationId: id, userId, at: iso(days) });
  expect(await rows(db, 'SELECT status FROM participations WHERE id = $1', [id])).toEqual([
    { status: 'MATURED' },
  ]);
  return alpha;
}
