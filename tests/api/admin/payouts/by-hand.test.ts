import { randomUUID } from 'node:crypto';
import { execute, rows } from '../../../../db/sql/query';
import { CARD } from '../../../support/builders/investing/withdrawing';
import { fundsOf } from '../../../support/builders/paying-out/payees';
import { signIn } from '../../../support/builders/sign-in';
import { eventually } from '../../../support/checks/eventually';
import { violations } from '../../../support/checks/violations';
import { outcomeOf, startAdminWorld, type AdminWorld } from '../admin-world';
import { deskOf } from './desk-world';

let staff: AdminWorld;
beforeAll(async () => {
  staff = await startAdminWorld({ variables: { PAYOUT_PROVIDER: 'bank', RATE_LIMIT_SCALE: '100' } });
});
afterAll(async () => {
  expect(await violations(staff.world.db)).toEqual([]);
  await staff.world.teardown();
});

describe.each(['PARTNER', 'WALLET'] as const)('%s, sent by a person', (kind) => {
  const desk = deskOf(() => staff, kind);
  const entity = kind === 'PARTNER' ? 'payout' : 'wallet-withdrawal';

  /** One that a person has to send. */
  async function toSend(body: object = {}) {
    const asked = await desk.requested();
    await desk.approve(asked.id);
    const answer = await desk.process(asked.id, body);
    expect(answer.body.data).toMatchObject({ status: 'PROCESSING', estimatedCompletion: expect.any(String) });
    return asked;
  }

  test('shows where the money goes while it is to be sent, and who has read it is recorded', async () => {
    const { id } = await toSend();
    expect((await desk.get(`/${id}`)).body.data).toMatchObject({
      ...{ needsTransfer: true, provider: 'bank' },
      payoutDetails: { method: 'CARD', accountHolder: 'Ada Lovelace', cardNumber: CARD },
    });
    const readings = () =>
      rows(staff.world.db, `SELECT actor_id FROM audit_records WHERE action = $1 AND entity_id = $2`, [
        `${entity}.read-destination`,
        id,
      ]);
    expect(await readings()).toEqual([{ actorId: staff.admin.id }]);
    await desk.complete(id);
    expect((await desk.get(`/${id}`)).body.data).toMatchObject({ status: 'COMPLETED', payoutDetails: null });
    expect(await readings()).toHaveLength(1);
  });

  test('its own owner, who is an administrator, does not read it; what cannot be opened is null', async () => {
    const { one, id } = await toSend();
    await execute(staff.world.db, `UPDATE users SET roles = '{USER,ADMIN}' WHERE id = $1`, [one.userId]);
    expect(outcomeOf(await desk.get(`/${id}`, await signIn(staff.world, one.user)))).toBe('403 FORBIDDEN');
    await execute(
      staff.world.db,
      `UPDATE payouts SET details = decode('00', 'hex') || details WHERE id = $1`,
      [id],
    );
    expect((await desk.get(`/${id}`)).body.data.payoutDetails).toBeNull();
  });

  test('completed by a reference that pays once', async () => {
    const [first, second] = [await toSend(), await toSend()];
    expect(outcomeOf(await desk.complete(first.id, {}))).toBe('400 VALIDATION_ERROR');
    const reference = `OUT ${randomUUID()}`;
    const done = await desk.complete(first.id, { externalReference: reference });
    expect(done.body.data).toMatchObject({
      status: 'COMPLETED',
      externalReference: reference,
      endedAt: expect.any(String),
    });
    const taken = await desk.complete(second.id, {
      externalReference: reference.replace(' ', '').toLowerCase(),
    });
    expect(outcomeOf(taken)).toBe('400 VALIDATION_ERROR');
    expect(taken.body.error).toMatchObject({
      reason: 'TRANSFER_ALREADY_USED',
      details: {
        externalReference: ['is already recorded for another payment'],
      },
    });
    expect(await fundsOf(staff.world.db, first.one.userId)).toMatchObject({ heldMinor: 0 });
  });

  test('the reference entered at processing suffices; twins settle once', async () => {
    const { id } = await toSend({ externalReference: `IN ${kind}` });
    const twins = await Promise.all([desk.complete(id, {}), desk.complete(id, {})]);
    expect(twins.map(outcomeOf).sort()).toEqual(['200', '409 ALREADY_SETTLED']);
    expect((await desk.get(`/${id}`)).body.data.externalReference).toBe(`IN ${kind}`);
  });

  test('refused by the bank: APPROVED again, and rejected', async () => {
    const { one, id } = await toSend();
    const refused = await desk.complete(id, { outcome: 'REFUSED' });
    expect(refused.body.data).toMatchObject({ status: 'APPROVED', lastRefusal: 'Refused by the bank.' });
    expect(await fundsOf(staff.world.db, one.userId)).toMatchObject({ heldMinor: 40_00 });
    expect(outcomeOf(await desk.reject(id))).toBe('200');
    expect(await fundsOf(staff.world.db, one.userId)).toMatchObject({ heldMinor: 0 });
  });

  test('CANNOT_SETTLE: its provider may still send it', async () => {
    const { id } = await toSend();
    // Not before its process has read that a person sends it: the process would let the sandbox send it.
    const process = staff.world.temporal.workflow.getHandle(`${entity}:${id}`);
    await eventually(async () => {
      const read = await process.query<{ currentDetails: string }>('__temporal_workflow_metadata');
      expect(read.currentDetails).toContain('Waits for a person to send the money');
    });
    await execute(staff.world.db, `UPDATE payouts SET provider = 'sandbox' WHERE id = $1`, [id]);
    // Nothing more of it: whenever its process looks at it again, the sandbox sends it.
    expect(outcomeOf(await desk.complete(id))).toBe('400 CANNOT_SETTLE');
  });

  test('CANNOT_SETTLE: neither ended nor sent by a person while a provider may have sent it before', async () => {
    const { id } = await toSend();
    await desk.complete(id, { outcome: 'REFUSED' });
    const unproven = JSON.stringify([{ attempt: 1, provider: 'paypal' }]);
    await execute(staff.world.db, 'UPDATE payouts SET unproven = $2 WHERE id = $1', [id, unproven]);
    for (const decides of [desk.reject, desk.cancel, desk.process])
      expect(outcomeOf(await decides(id))).toBe('400 CANNOT_SETTLE');
    await execute(staff.world.db, `UPDATE payouts SET unproven = '[]' WHERE id = $1`, [id]);
    expect(outcomeOf(await desk.process(id))).toBe('200');
  });

  test('each decision is in the audit log', async () => {
    const { id } = await toSend();
    await desk.complete(id, { externalReference: `LOG ${kind}` });
    const audited = await rows(
      staff.world.db,
      'SELECT action, entity_type FROM audit_records WHERE entity_id = $1 ORDER BY sequence',
      [id],
    );
    expect(audited).toEqual(
      ['approve', 'process', 'complete'].map((verb) => ({ action: `${entity}.${verb}`, entityType: entity })),
    );
  });
});
