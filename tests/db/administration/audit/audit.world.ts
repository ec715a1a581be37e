import { v7 } from 'uuid';
import { recordAudit, type Change } from '../../../../db/administration/audit/audit.writes';
import { execute, rows, type Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';

export const change = (more: Partial<Change> = {}): Change => {
  const usual = {
    actorId: v7(),
    action: 'user.suspend',
    entityId: v7(),
    previous: { status: 'ACTIVE' },
    next: {
      status: 'SUSPENDED',
      until: new Date(1e12),
      zulu: 1,
      alpha: [1.5, { y: 'ü"\\', x: null }],
      gone: undefined,
    },
    clientAddress: '2001:db8::1',
    at: new Date(),
  };
  return { ...usual, ...more } as Change;
};

export const record = (db: Db, more: Partial<Change> = {}): Promise<void> =>
  inTransaction(db, (tx) => recordAudit(tx, change(more)));

export async function recordMany(db: Db, count: number): Promise<void> {
  for (let n = 0; n < count; n++) await record(db);
}

/** Every record's id, in the order of the chain. */
export const recordIds = async (db: Db): Promise<string[]> =>
  (await rows<{ id: string }>(db, 'SELECT id FROM audit_records ORDER BY sequence')).map(({ id }) => id);

/** Runs a statement without triggers, as only a superuser can. */
export const pastTriggers = (owner: Db, statement: string, bind: unknown[] = []): Promise<number> =>
  inTransaction(owner, async (tx) => {
    await execute(tx, 'SET LOCAL session_replication_role = replica');
    return execute(tx, statement, bind);
  });
