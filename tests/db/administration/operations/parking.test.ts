import { v7 } from 'uuid';
import { parkedProcesses, parkedState } from '../../../../db/administration/operations/parking.reads';
import {
  endRetry,
  markRenewed,
  markRetrying,
  park,
} from '../../../../db/administration/operations/parking.writes';
import { execute } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();

const at = (minute: number): Date => new Date(Date.UTC(2026, 10, 22, 12, minute));
const entry = (workflowId: string, minute: number, reason: string) => ({
  ...{ workflowId, type: 'suspension', entityId: 'x', reason, lastError: 'x' },
  since: at(minute).toISOString(),
});
const parks = (workflowId: string, minute: number, { runId = 'first', reason = 'Could not end it.' } = {}) =>
  park(own.db, { ...entry(workflowId, minute, reason), runId });

/** Decides that the step is tried again, with a note. */
async function retried(workflowId: string, minute: number): Promise<string> {
  const noteId = v7();
  await inTransaction(own.db, (tx) => markRetrying(tx, workflowId, { noteId, at: at(minute) }));
  expect(await parkedState(own.db, workflowId)).toBe('RETRYING');
  return noteId;
}

async function listed(state: 'PARKED' | 'RETRYING'): Promise<object[]> {
  const filter = { type: null, state, orderId: null, orderNumber: null, userId: null, entityId: null };
  const { processes } = await parkedProcesses(own.db, filter, { limit: 10, offset: 0 });
  return processes.map(({ workflowId, attempts, retriedAt }) => ({ workflowId, attempts, retriedAt }));
}

const noteOf = async (noteId: string): Promise<boolean> =>
  (await execute(own.db, 'UPDATE parked_processes SET type = type WHERE note_id = $1', [noteId])) === 1;

beforeEach(() => execute(own.db, 'DELETE FROM parked_processes'));

describe('an entry that a run has left as RETRYING', () => {
  test('the same run, parked again, has one attempt more and keeps the note', async () => {
    await parks('same', 0);
    const noteId = await retried('same', 1);
    await parks('same', 2);
    expect(await listed('PARKED')).toEqual([{ workflowId: 'same', attempts: 2, retriedAt: null }]);
    expect(await listed('RETRYING')).toEqual([]);
    expect(await noteOf(noteId)).toBe(true);
  });

  test('parked again, it stays when the end of that try is reported late', async () => {
    await parks('mixed', 0);
    await retried('mixed', 1);
    await parks('mixed', 2);
    await endRetry(own.db, 'mixed', at(60));
    expect(await parkedState(own.db, 'mixed')).toBe('PARKED');
  });

  test('a late mark of the run that it continues takes nothing from the run that waits', async () => {
    await parks('renewed', 0);
    await markRenewed(own.db, { workflowId: 'renewed', runId: 'first', at: at(1) });
    expect(await parkedState(own.db, 'renewed')).toBe('RETRYING');
    await park(own.db, { ...entry('renewed', 2, 'Could not end it.'), runId: 'second', isRenewed: true });
    await markRenewed(own.db, { workflowId: 'renewed', runId: 'first', at: at(3) });
    expect(await parkedState(own.db, 'renewed')).toBe('PARKED');
  });

  test('the same run, parked for another reason, has its first attempt and no note', async () => {
    await parks('other', 0);
    const noteId = await retried('other', 1);
    await parks('other', 2, { reason: 'Could not begin it.' });
    expect(await listed('PARKED')).toEqual([{ workflowId: 'other', attempts: 1, retriedAt: null }]);
    expect(await noteOf(noteId)).toBe(false);
  });

  test('a call from before the decision, repeated late, leaves it as it is', async () => {
    await parks('late', 0);
    await retried('late', 1);
    await parks('late', 0);
    expect(await parkedState(own.db, 'late')).toBe('RETRYING');
  });

  test('the next run, parked for the same reason, has its first attempt and no note', async () => {
    await parks('next', 0);
    const noteId = await retried('next', 1);
    await parks('next', 2, { runId: 'second' });
    await parks('next', 2, { runId: 'second' }); // The call may be repeated.
    expect(await listed('PARKED')).toEqual([{ workflowId: 'next', attempts: 1, retriedAt: null }]);
    expect(await noteOf(noteId)).toBe(false);
    await retried('next', 3);
    await parks('next', 4, { runId: 'second' });
    expect(await listed('PARKED')).toEqual([{ workflowId: 'next', attempts: 2, retriedAt: null }]);
  });
});
