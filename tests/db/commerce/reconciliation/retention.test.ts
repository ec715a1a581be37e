import { forgetExpired } from '../../../../db/administration/retention/retention.transitions';
import { policyFrom } from '../../../../db/policy/config';
import { execute, rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { utcDayAgo } from '../../../support/builders/make/reconciliations';
import { insert } from '../../../support/builders/make/insert';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();

test('what providers said is deleted a week after its day can no longer be compared, unless a difference of it is open', async () => {
  const { db } = own;
  const movement = (providerId: string, day: string) =>
    insert(db, 'provider_movements', {
      ...{ provider: 'sandbox', kind: 'TRANSFER_OUT', provider_id: providerId, day, reading: 1 },
      ...{ amount_minor: 250_00, currency: 'USD', occurred_at: new Date(`${day}T10:00:00Z`) },
    });
  const [open, resolved] = [
    await make.difference(db, { day: utcDayAgo(40) }),
    await make.difference(db, { day: utcDayAgo(41) }),
  ];
  await execute(db, 'UPDATE reconciliation_differences SET resolved_at = now() WHERE id = $1', [resolved.id]);
  await make.difference(db, { day: utcDayAgo(35) });
  await make.difference(db, { day: utcDayAgo(36) });
  await movement(`po_${open.id}`, open.day);
  await movement(`po_${resolved.id}`, resolved.day);
  await movement('young enough', utcDayAgo(35));
  await movement('too old', utcDayAgo(36));
  const forget = () => forgetExpired(db, new Date(), policyFrom({}));
  expect(await forget()).toMatchObject({ providerMovements: 2 });
  const left = await rows<{ providerId: string }>(
    db,
    'SELECT provider_id FROM provider_movements ORDER BY occurred_at',
  );
  expect(left.map(({ providerId }) => providerId)).toEqual([`po_${open.id}`, 'young enough']);
  expect(await forget()).toMatchObject({ providerMovements: 0 });
});
