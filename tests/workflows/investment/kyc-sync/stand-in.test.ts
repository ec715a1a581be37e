import { get } from 'node:https';
import { firstRow } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import { eventually } from '../../../support/checks/eventually';
import { violations } from '../../../support/checks/violations';
import { startPushingWorld, type PushingWorld } from './pushing';

let pushing: PushingWorld;
beforeAll(async () => {
  pushing = await startPushingWorld();
});
afterAll(() => pushing.teardown());

/** Opens an address as the user's browser does, over HTTPS; answers the status. */
const browse = (address: string): Promise<number> =>
  new Promise((resolve, reject) => {
    get(address, { ca: pushing.ca }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    }).on('error', reject);
  });

interface Held {
  id: string;
  status: string;
  earnedMinor: number;
  transactions: string[];
}

/** The investment that a provider calls so; null: none is known. */
const held = (provider: string, externalId: string): Promise<Held | null> =>
  firstRow(
    pushing.world.db,
    `SELECT p.id, p.status, p.earned_minor, (SELECT array_agg(t.type ORDER BY t.created_at, t.id)
        FROM investment_transactions t WHERE t.participation_id = p.id) AS transactions
       FROM participations p WHERE p.provider_code = $1 AND p.external_id = $2`,
    [provider, externalId],
  );

test('a provider written with other libraries: its page signs users in, its reports become investments, it is told of verifications', async () => {
  const { world } = pushing;
  const { code, strategyId, strategyCode, api } = await pushing.investor();
  const user = await make.user(world.db, { kycLevel: 'STANDARD', firstName: 'Ada', lastName: 'Byron' });
  const token = await signIn(world, user);
  const redirect = async (): Promise<string> => {
    const answer = await world.http
      .post(`/api/v1/investment/strategies/${strategyId}/sso-redirect`)
      .auth(token, { type: 'bearer' });
    return (answer.body as { data: { redirectUrl: string } }).data.redirectUrl;
  };

  const address = await redirect();
  expect(await browse(address)).toBe(200);
  expect(api.signedIn).toEqual([
    expect.objectContaining({
      ...{ sub: user.id, userId: user.id, email: user.email, fullName: 'Ada Byron', strategyCode },
    }),
  ]);
  // Each token signs in once, and an altered one never.
  expect(await browse(address)).toBe(401);
  const altered = new URL(await redirect());
  const signed = altered.searchParams.get('token')!;
  altered.searchParams.set('token', `${signed.slice(0, -4)}${signed.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`);
  expect(await browse(altered.href)).toBe(401);
  expect(api.signedIn).toHaveLength(1);

  const intake = `${world.url}/api/v1/investment/webhooks/${code}`;
  const startDate = new Date(Date.now() - 60_000).toISOString();
  const created = {
    externalId: 'inv-1',
    userId: user.id,
    strategyCode,
    amount: 1_000,
    currency: 'USD',
    startDate,
  };
  const first = await api.report(intake, 'investment.created', created);
  expect(first.status).toBe(202);
  expect((await api.report(intake, 'investment.created', created, { id: first.id })).status).toBe(200);
  const strange = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  expect((await api.report(intake, 'investment.created', created, { by: strange })).status).toBe(401);
  await eventually(async () => expect(await held(code, 'inv-1')).toMatchObject({ status: 'ACTIVE' }));
  const profit = { externalId: 'profit-1', investmentExternalId: 'inv-1', amount: 12.5 };
  expect((await api.report(intake, 'profit.distributed', profit)).status).toBe(202);
  await eventually(async () => expect(await held(code, 'inv-1')).toMatchObject({ earnedMinor: 12_50 }));
  expect(await pushing.push(code, '2026-11-23T06')).toEqual({ accepted: 1, refused: 0 });
  expect(api.received.flatMap(({ users }) => users)).toEqual([
    expect.objectContaining({ userId: user.id, email: user.email, kycLevel: 'STANDARD' }),
  ]);
  const paidOut = { externalId: 'payout-1', investmentExternalId: 'inv-1', amount: 1_012.5 };
  expect((await api.report(intake, 'investment.withdrawn', paidOut)).status).toBe(202);
  await eventually(async () =>
    expect(await held(code, 'inv-1')).toMatchObject({
      status: 'WITHDRAWN',
      transactions: ['DEPOSIT', 'PROFIT', 'WITHDRAWAL'],
    }),
  );
  expect(await violations(world.db)).toEqual([]);
});
