import { randomUUID } from 'node:crypto';
import { bankFilePayouts } from '../../../../../activities/providers/payouts/bank-file/driver';
import { rows } from '../../../../../db/sql/query';
import { collected, filed, idOf } from '../../../../support/builders/payouts/bank-files';
import { collectedPayout, transferOf } from '../../../../support/builders/payouts/paid-by-file';
import { make } from '../../../../support/builders/make';
import { signIn } from '../../../../support/builders/sign-in';
import { outcomeOf, startAdminWorld, type AdminWorld } from '../../admin-world';

let staff: AdminWorld;
beforeAll(async () => {
  staff = await startAdminWorld();
});
afterAll(() => staff.world.teardown());

const auditOf = (id: string) =>
  rows<{ action: string; actorId: string; next: object }>(
    staff.world.db,
    'SELECT action, actor_id, next FROM audit_records WHERE entity_id = $1 ORDER BY sequence',
    [id],
  );

describe('transfers that are in no file yet', () => {
  const waiting = async (): Promise<string[]> =>
    (
      (await staff.ask('get', '/admin/bank-files/collected?pageSize=100')).body.data.transfers as {
        id: string;
      }[]
    ).map(({ id }) => id);
  const refuse = (id: string, body: object = { reason: 'The account is closed.' }) =>
    staff.ask('post', `/admin/bank-files/collected/${id}/refuse`, body);

  test('are listed, oldest first, without where they go', async () => {
    const ids = (await collected(staff.world.db, [1, 2], 'USD')).map(idOf);
    expect((await waiting()).slice(-2)).toEqual(ids);
    const { body } = await staff.ask('get', '/admin/bank-files/collected?pageSize=100');
    expect(body.data.transfers.at(-1)).toEqual({
      ...{
        id: ids[1],
        key: expect.any(String),
        amount: 0.02,
        currency: 'USD',
        createdAt: expect.any(String),
      },
    });
  });

  test('one that is refused is in no file, and its provider says so', async () => {
    const [name] = await collected(staff.world.db);
    const id = idOf(name!);
    const { status, body } = await refuse(id);
    expect(status).toBe(200);
    expect(await bankFilePayouts(staff.world.db).lookUpTransfer(String(body.data.key))).toEqual({
      ...{ status: 'refused', reason: 'An administrator took it out of the collection.' },
    });
    expect(await waiting()).not.toContain(id);
    expect(outcomeOf(await refuse(id))).toBe('404 TRANSFER_NOT_FOUND');
    expect(await auditOf(id)).toMatchObject([
      { action: 'bank-file.refuse-transfer', next: { status: 'REFUSED', reason: 'The account is closed.' } },
    ]);
    // Nothing was sent, so nobody has to know where it was to go, nor why else than by the audit log.
    const kept = await rows<{ destination: Buffer | null; row: string }>(
      staff.world.db,
      'SELECT destination, row_to_json(t)::text AS row FROM bank_file_transfers t WHERE id = $1',
      [id],
    );
    expect(kept).toMatchObject([{ destination: null }]);
    expect(kept[0]!.row).not.toContain('closed');
  });

  test('one that is in a file, or that there is not, is not refused', async () => {
    const { transfers } = await filed(staff.world.db);
    expect(outcomeOf(await refuse(idOf(transfers[0]!)))).toBe('404 TRANSFER_NOT_FOUND');
    expect(outcomeOf(await refuse(randomUUID()))).toBe('404 TRANSFER_NOT_FOUND');
    expect(outcomeOf(await refuse(randomUUID(), {}))).toBe('400 VALIDATION_ERROR');
  });

  test('one that pays the administrator is refused by another one: FORBIDDEN', async () => {
    const one = await make.admin(staff.world.db, { kycLevel: 'STANDARD' });
    const key = await collectedPayout(staff.world.db, { userId: one.id });
    const [row] = await rows<{ id: string }>(
      staff.world.db,
      'SELECT id FROM bank_file_transfers WHERE subject_id = $1',
      [key],
    );
    const path = `/admin/bank-files/collected/${row!.id}/refuse`;
    const own = await staff.ask('post', path, { reason: 'Closed.' }, await signIn(staff.world, one));
    expect(outcomeOf(own)).toBe('403 FORBIDDEN');
    expect(await transferOf(staff.world.db, key)).toBe('COLLECTED');
    expect(outcomeOf(await refuse(row!.id))).toBe('200');
  });

  test('made into a file and refused at once, each is in the file or refused', async () => {
    const ids = (await collected(staff.world.db, [1, 2, 3, 4, 5, 6])).map(idOf);
    const [made, ...refused] = await Promise.all([
      staff.ask('post', '/admin/bank-files'),
      ...ids.map((id) => refuse(id)),
    ]);
    const gone = refused.filter(({ status }) => status === 200).length;
    const filedOnes = await rows(
      staff.world.db,
      `SELECT 1 FROM bank_file_transfers WHERE id = ANY ($1::uuid[]) AND status = 'IN_FILE'`,
      [ids],
    );
    expect(gone + filedOnes.length).toBe(6);
    if (made.status === 201) {
      const { text } = await staff.ask('get', `/admin/bank-files/${String(made.body.data.id)}/file`);
      expect(text.split('<CdtTrfTxInf>').length - 1).toBe(made.body.data.transfers);
    }
  });
});
