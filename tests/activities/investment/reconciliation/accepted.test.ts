import { execute, rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { ownDatabase } from '../../../support/servers/database';
import { age, compare, DAY_MS, providerOf } from './reconciling';

const own = ownDatabase();
const unknown = { userId: '018f0000-0000-7000-8000-000000000000' };
const inFourDays = () => new Date(Date.now() + 4 * DAY_MS);

/** Accepts all differences of a provider that are there in four days. */
async function acceptAll(code: string): Promise<void> {
  expect(await compare(own.db, code, inFourDays())).not.toEqual([]);
  const { id } = await make.admin(own.db);
  await execute(
    own.db,
    `UPDATE investment_differences SET accepted_at = now(), accepted_by = $2, accepted_because = 'A mistake.'
      WHERE provider_code = $1`,
    [code, id],
  );
  expect(await compare(own.db, code, inFourDays())).toEqual([]);
}

/** A provider that has reported 11 instead of the 10 that are booked. */
async function differing() {
  const alpha = await providerOf(own.db);
  await alpha.created('a');
  await alpha.profit('a', 10, 'wrong');
  await alpha.profit('a', 11, 'wrong');
  return alpha;
}

test('one that was accepted is not open, and opens again once it has another amount', async () => {
  const alpha = await differing();
  await acceptAll(alpha.code);
  await age(own.db, 2);
  await alpha.profit('a', 12, 'wrong');
  // Not settled for an hour, it stays accepted.
  expect(await compare(own.db, alpha.code, new Date())).toEqual([]);
  expect(
    await rows(
      own.db,
      'SELECT 1 FROM investment_differences WHERE provider_code = $1 AND resolved_at IS NULL',
      [alpha.code],
    ),
  ).toHaveLength(1);
  expect(await compare(own.db, alpha.code, inFourDays())).toMatchObject([
    { kind: 'PROFITS_DIFFER', heldMinor: 10_00, reportedMinor: 12_00 },
  ]);
});

test('usual profits leave it accepted, with the newest amounts', async () => {
  const alpha = await differing();
  await acceptAll(alpha.code);
  await alpha.profit('a', 5, 'usual');
  expect(await compare(own.db, alpha.code, inFourDays())).toEqual([]);
  expect(
    await rows(
      own.db,
      'SELECT held_minor, reported_minor FROM investment_differences WHERE provider_code = $1',
      [alpha.code],
    ),
  ).toEqual([{ heldMinor: 15_00, reportedMinor: 16_00 }]);
});

test('one of nothing reported opens again when something is', async () => {
  const alpha = await providerOf(own.db);
  await alpha.created('a');
  await alpha.profit('a', 5, 'p');
  await compare(own.db, alpha.code);
  const isProfit = `provider_code = $1 AND type = 'PROFIT'`;
  await execute(own.db, `DELETE FROM investment_reports WHERE ${isProfit}`, [alpha.code]);
  await acceptAll(alpha.code);
  await alpha.profit('a', 0, 'other');
  expect(await compare(own.db, alpha.code, inFourDays())).toMatchObject([
    { heldMinor: 5_00, reportedMinor: 0 },
  ]);
});

test.each(['principal', 'profit', 'payout', 'currency'])(
  'an unknown investment that was accepted opens again for another %s',
  async (changed) => {
    const alpha = await providerOf(own.db);
    await alpha.created('mistaken', 500, unknown);
    await acceptAll(alpha.code);
    if (changed === 'principal') await alpha.created('mistaken', 600, unknown);
    if (changed === 'profit') await alpha.profit('mistaken', 7);
    if (changed === 'payout') await alpha.withdrawn('mistaken', 405, { penalty: 5 });
    if (changed === 'currency') await alpha.created('mistaken', 500, { ...unknown, currency: 'EUR' });
    expect(await compare(own.db, alpha.code, inFourDays())).toMatchObject([{ kind: 'UNKNOWN_HERE' }]);
    await acceptAll(alpha.code);
    await alpha.created('mistaken', changed === 'principal' ? 600 : 500, {
      ...unknown,
      ...(changed === 'currency' && { currency: 'EUR' }),
    });
    expect(await compare(own.db, alpha.code, inFourDays())).toEqual([]);
  },
);
