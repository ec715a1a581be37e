import { v7 } from 'uuid';
import { auditValue } from '../../../../db/administration/audit/audit-values';
import { verifyAuditChain } from '../../../../db/administration/audit/audit.reads';
import { firstRow } from '../../../../db/sql/query';
import { ownDatabase } from '../../../support/servers/database';
import { testKeys } from '../../../support/worlds/variables';
import { record } from './audit.world';

const own = ownDatabase();
const ofUser = (value: object) => auditValue(value, 'user', testKeys) as Record<string, unknown>;
const fingerprint = expect.stringMatching(/^fingerprint:[0-9a-f]{24}$/);

test('secrets and personal data never reach the trail, wherever they stand', async () => {
  const hidden = {
    email: 'ada@example.com',
    password: 'hunter2hunter2',
    passwordHash: '$argon2id$hunter2',
    payoutDetails: [{ cardNumber: '4111hunter2', iban: 'DEhunter2', bankName: 'Bank' }],
    webhook_secret: 'whsec_hunter2',
    refreshToken: null,
    access_token: 'hunter2',
    twoFactorCode: 'hunter2',
    rankCode: 'LEADER',
  };
  await record(own.db, { entityType: 'payout', previous: hidden, next: { deep: { deeper: [hidden] } } });
  const stored = await firstRow<{ previous: object; text: string }>(
    own.db,
    'SELECT previous, previous::text || next::text AS text FROM audit_records',
  );
  expect(stored!.text).not.toMatch(/hunter2|ada@/);
  expect(stored!.previous).toEqual({
    email: fingerprint,
    password: '[redacted]',
    passwordHash: '[redacted]',
    payoutDetails: [{ cardNumber: '[redacted]', iban: '[redacted]', bankName: 'Bank' }],
    webhook_secret: '[redacted]',
    refreshToken: null,
    access_token: '[redacted]',
    twoFactorCode: '[redacted]',
    rankCode: 'LEADER',
  });
  expect(await verifyAuditChain(own.db)).toMatchObject({ valid: true, checked: 1 });
});

test('of a person, what says who it is becomes a fingerprint, and what happened to it stays readable', () => {
  const noteId = v7();
  expect(
    ofUser({
      email: 'ada@example.com',
      phone: '+4915112345678',
      firstName: 'ADA',
      lastName: 'Lovelace',
      middleName: null,
      dateOfBirth: '1815-12-10',
      nickname: 'Countess',
      status: 'SUSPENDED',
      suspendedUntil: '2026-12-01T00:00:00.000Z',
      reason: 'Asked for it.',
      roles: ['USER', 'ADMIN'],
      timezone: 'Europe/Berlin',
      language: 'de',
      twoFactor: false,
      sessionsRevoked: 3,
      method: 'TOTP',
      noteId,
    }),
  ).toEqual({
    email: fingerprint,
    phone: fingerprint,
    firstName: fingerprint,
    lastName: fingerprint,
    middleName: null,
    dateOfBirth: fingerprint,
    nickname: fingerprint,
    status: 'SUSPENDED',
    suspendedUntil: '2026-12-01T00:00:00.000Z',
    reason: 'Asked for it.',
    roles: ['USER', 'ADMIN'],
    timezone: 'Europe/Berlin',
    language: 'de',
    twoFactor: false,
    sessionsRevoked: 3,
    method: 'TOTP',
    noteId,
  });
});

test('the same value has the same fingerprint, another one another, and names of goods stay', () => {
  const [one, same, other] = ['ada@example.com', 'ada@example.com', 'bob@example.com'].map(
    (email) => ofUser({ email })['email'],
  );
  expect(one).toBe(same);
  expect(one).not.toBe(other);
  expect(auditValue({ name: 'Headphones', title: 'Ada' }, 'product', testKeys)).toEqual({
    name: 'Headphones',
    title: 'Ada',
  });
  expect(
    auditValue({ shippingAddress: { city: 'London' }, contactEmail: 'a@b.c' }, 'order', testKeys),
  ).toEqual({
    shippingAddress: fingerprint,
    contactEmail: fingerprint,
  });
  expect(auditValue(undefined, 'order', testKeys)).toBeNull();
});
