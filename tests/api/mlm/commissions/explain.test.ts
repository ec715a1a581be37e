import { execute } from '../../../../db/sql/query';
import { takenByTheBank } from '../../../activities/commerce/chargeback/chargebacks';
import { given } from '../../../support/builders/given';
import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import { ownCheckedWorld } from '../../../support/worlds/world';
import { outcomeOf } from '../../admin/admin-world';
import { partnerPerson } from '../partner-person';

const world = ownCheckedWorld({ worker: false });

test.each([
  [0, { baseMinor: 4_999 }, 10, '49.99 × 20 % = 10.00 USD'],
  [1, { baseMinor: 33_33, commissionBp: 1_250 }, 2.08, '4.16625 × 50 % = 2.08 USD'],
  [2, { rateBp: 1_000, metRateBp: 1_000, rankLevel: 3 }, 2, '20 × (20 % − 10 %) = 2.00 USD'],
  [3, {}, 6, '20 × 30 % = 6.00 USD'],
  [5, { baseMinor: 1_010 }, 0.51, '10.1 × 5 % = 0.51 USD'],
  [6, { baseMinor: 10_000, rateBp: 100, metRateBp: 100, rankLevel: 3 }, 1, '100 × (2 % − 1 %) = 1.00 USD'],
  [8, { level: 3, rankLevel: 3, grossMinor: 25_000, baseMinor: 25_000 }, 250, 'bonus = 250.00 USD'],
] as const)(
  'type %s is computed anew to the amount that was booked',
  async (type, options, amount, formula) => {
    const me = await partnerPerson(world);
    const made = await make.commission(world.db, { partnerId: me.partnerId, type, ...options });
    const { status, body } = await me.get(`/commissions/${made.id}/explain`);
    expect(status).toBe(200);
    const { commission, computation } = body.data;
    expect([commission.grossAmount, computation.recomputedAmount, computation.formula]).toEqual([
      amount,
      amount,
      formula,
    ]);
    expect(computation.inWords).toMatch(/^For .*\.$/);
  },
);

test('a differential names the rates met on the way up, and nobody', async () => {
  const me = await partnerPerson(world);
  const sponsor = await make.commission(world.db, { rankLevel: 2 });
  const { sourceId } = sponsor;
  const mine = await make.commission(world.db, {
    ...{
      partnerId: me.partnerId,
      sourceId,
      type: 2,
      level: 3,
      rankLevel: 4,
      rateBp: 2_000,
      metRateBp: 1_000,
    },
  });
  await make.commission(world.db, { sourceId, type: 2, level: 5, rankLevel: 5, metRateBp: 3_000 });
  const { body } = await me.get(`/commissions/${mine.id}/explain`);
  expect(body.data.computation).toMatchObject({
    ...{ base: 100, appliedTo: 20, rate: 20, metRate: 10, programmeVersion: 1, withheld: 0 },
    rank: { level: 4, code: 'DIRECTOR', name: 'Director' },
    ratesMet: [
      { level: 1, rankCode: 'BUILDER', rate: 10 },
      { level: 3, rankCode: 'DIRECTOR', rate: 30 },
    ],
  });
});

test('what was taken back and adjusted, what is left and what comes next', async () => {
  const me = await partnerPerson(world);
  const made = await make.commission(world.db, { partnerId: me.partnerId });
  const part = await make.commission(world.db, {
    ...{ partnerId: me.partnerId, sourceId: made.sourceId, reversalOf: made.id, grossMinor: -300 },
  });
  const token = await signIn(world, await make.admin(world.db));
  const adjust = (body: object) =>
    world.http
      .post(`/api/v1/admin/commissions/${made.id}/adjust`)
      .auth(token, { type: 'bearer' })
      .send({ reason: 'A correction.', ...body });
  expect((await adjust({ action: 'ADJUST_AMOUNT', newAmount: 8 })).status).toBe(200);
  const before = (await me.get(`/commissions/${made.id}/explain`)).body.data;
  expect(before).toMatchObject({
    takenBack: { total: -3, parts: [{ commissionId: part.id, amount: -3, status: 'PENDING' }] },
    adjustments: [
      {
        ...{ action: 'ADJUST_AMOUNT', previousStatus: 'PENDING', newStatus: 'PENDING' },
        ...{ previousAmount: 10, newAmount: 8, reason: 'A correction.' },
      },
    ],
    amountLeft: 5,
    next: { status: 'APPROVED', notBefore: before.commission.maturesAt, openRefundId: null, heldBy: null },
  });
  expect((await adjust({ action: 'REVERSE' })).status).toBe(200);
  const after = (await me.get(`/commissions/${made.id}/explain`)).body.data;
  expect([after.amountLeft, after.next, after.adjustments.length]).toEqual([0, null, 2]);
  const own = (await me.get(`/commissions/${part.id}/explain`)).body.data;
  expect(own.computation).toMatchObject({
    recomputedAmount: null,
    formula: 'a part of another commission = -3.00 USD',
  });
  const asAdmin = await world.http
    .get(`/api/v1/admin/commissions/${made.id}/explain`)
    .auth(token, { type: 'bearer' });
  expect(asAdmin.body.data).toEqual(after);
});

test('what keeps a due commission PENDING is named: a chargeback, not the suspension of the partner', async () => {
  const me = await partnerPerson(world);
  const { orderId } = await given(world.db).order().paid();
  const made = await make.commission(world.db, {
    ...{ partnerId: me.partnerId, sourceId: orderId, at: new Date(Date.now() - 40 * 86_400_000) },
  });
  const token = await signIn(world, await make.admin(world.db));
  const heldBy = async () =>
    (await world.http.get(`/api/v1/admin/commissions/${made.id}/explain`).auth(token, { type: 'bearer' }))
      .body.data.next.heldBy;
  await execute(world.db, `UPDATE partners SET status = 'SUSPENDED' WHERE id = $1`, [me.partnerId]);
  expect(await heldBy()).toBeNull();
  await takenByTheBank(world.db, { orderId }, 1);
  expect(await heldBy()).toBe('CHARGEBACK');
  expect((await me.get(`/commissions/${made.id}/explain`)).body.data.next.heldBy).toBe('CHARGEBACK');
});

test('NOT_A_PARTNER for who is none', async () => {
  const token = await signIn(world, await make.user(world.db));
  const { id } = await make.commission(world.db);
  const answer = await world.http
    .get(`/api/v1/mlm/commissions/${id}/explain`)
    .auth(token, { type: 'bearer' });
  expect(outcomeOf(answer)).toBe('403 NOT_A_PARTNER');
});

test('COMMISSION_NOT_FOUND for another’s and for an unknown one', async () => {
  const me = await partnerPerson(world);
  const other = await make.commission(world.db);
  expect(outcomeOf(await me.get(`/commissions/${other.id}/explain`))).toBe('404 COMMISSION_NOT_FOUND');
  const token = await signIn(world, await make.admin(world.db));
  const path = '/api/v1/admin/commissions/01890000-0000-7000-8000-000000000000/explain';
  expect(outcomeOf(await world.http.get(path).auth(token, { type: 'bearer' }))).toBe(
    '404 COMMISSION_NOT_FOUND',
  );
});
