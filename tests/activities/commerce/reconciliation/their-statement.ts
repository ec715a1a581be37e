import type { StatementMovement, ProviderStatement } from '../../../../activities/providers/statements/port';
import { reconciliationActivities } from '../../../../activities/commerce/reconciliation/reconciliation.activities';
import { policyFrom } from '../../../../db/policy/config';
import { rows, type Db } from '../../../../db/sql/query';
import type { ReconciliationInput } from '../../../../workflows/commerce/reconciliation/reconciliation.contract';
import { asActivity } from '../../../support/servers/run-activity';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The day that is compared, some days ago, so that the days around it have passed too. */
export const DAY = new Date(Date.now() - 5 * DAY_MS).toISOString().slice(0, 10);
export const dayBeside = (days: number): string =>
  new Date(Date.parse(DAY) + days * DAY_MS).toISOString().slice(0, 10);

/** A moment of the day, by the hours after its beginning. */
export const at = (hours: number): Date => new Date(Date.parse(DAY) + hours * HOUR_MS);

/** The statement of a provider, a list; it answers pages, and fails as often as it is told to. */
export class TheirStatement implements ProviderStatement {
  readonly movements: StatementMovement[] = [];
  failures = 0;
  /** Called before each page, such as to die. */
  beforePage: (cursor: string | null) => void = () => undefined;
  pagesRead = 0;

  constructor(
    readonly code: string,
    private readonly pageSize = 3,
  ) {}

  says(movement: Omit<StatementMovement, 'reference' | 'currency'> & Partial<StatementMovement>): void {
    this.movements.push({ reference: null, currency: 'USD', ...movement });
  }

  listMovements: ProviderStatement['listMovements'] = ({ from, to, cursor }) => {
    this.beforePage(cursor);
    if (this.failures > 0) {
      this.failures--;
      return Promise.reject(new Error('The provider answers 500.'));
    }
    this.pagesRead++;
    const start = Number(cursor ?? 0);
    const of = this.movements.filter((one) => one.at >= from && one.at < to);
    const end = start + this.pageSize;
    return Promise.resolve({
      movements: of.slice(start, end),
      cursor: end < of.length ? String(end) : null,
    });
  };
}

/** The steps of a comparison, as the process takes them. */
export function comparing(db: Db, statement: ProviderStatement, longDb = db) {
  const policy = policyFrom({});
  const steps = reconciliationActivities({
    db,
    longDb,
    statements: new Map([[statement.code, statement]]),
    policy,
  });
  const [readStatement, compareDay] = [asActivity(steps.readStatement), asActivity(steps.compareDay)];
  const begin = (day: string, now = new Date()) =>
    steps.beginReading({ provider: statement.code, day, at: now.toISOString() });
  const readFrom = async (
    of: ReconciliationInput & { runId: string; reading: number },
    from: string | null = null,
  ): Promise<void> => {
    for (let cursor = from, more = true; more; more = cursor !== null)
      ({ cursor } = await readStatement({ ...of, cursor }));
  };
  const compare = async (
    of: ReconciliationInput & { runId: string; reading: number },
    now = new Date(),
  ): Promise<number> => {
    for (;;) {
      const { differences } = await compareDay({ ...of, at: now.toISOString() });
      if (differences !== null) return differences;
    }
  };
  return {
    ...{ steps, begin, readFrom, readStatement, compareDay },
    /** Compares a day that was read, once no other day of the provider is compared; returns the open differences. */
    compare,
    /** Reads and compares a day; answers the open differences with the provider. */
    run: async (day = DAY, now = new Date()): Promise<number> => {
      const of = { provider: statement.code, day, ...(await begin(day, now)) };
      await readFrom(of);
      return compare(of, now);
    },
  };
}

export interface Found {
  kind: string;
  movementKind: string | null;
  providerId: string | null;
  ourId: string | null;
}

/** The open differences with a provider, in an order of their own. */
export const openWith = (db: Db, provider: string): Promise<Found[]> =>
  rows(
    db,
    `SELECT kind, movement_kind, provider_id, our_id FROM reconciliation_differences
      WHERE provider = $1 AND resolved_at IS NULL ORDER BY kind, movement_kind, provider_id, our_id`,
    [provider],
  );

/** The fees that are booked for a provider: what each takes from the clearing account's money. */
export const bookedFees = (db: Db, provider: string): Promise<{ fee: string; expense: number }[]> =>
  rows(
    db,
    `SELECT t.part AS fee, -e.amount_minor AS expense FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
      WHERE t.kind = 'fee' AND t.subject_id = $1 AND e.account = 'provider_fees' ORDER BY t.part`,
    [provider],
  );
