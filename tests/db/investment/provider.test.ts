import { randomBytes } from 'node:crypto';
import {
  lockProvider,
  providerByCode,
  providerSecrets,
  secretTimes,
} from '../../../db/investment/provider/provider.reads';
import { createProvider, replaceSecret } from '../../../db/investment/provider/provider.writes';
import { KeyRing } from '../../../db/sealing/key-ring';
import { execute, rows } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { make } from '../../support/builders/make';
import { ownDatabase } from '../../support/servers/database';
import { testKeys } from '../../support/worlds/variables';

const own = ownDatabase();
const at = new Date('2026-11-23T10:00:00Z');
const after = (hours: number): Date => new Date(at.getTime() + hours * 3_600_000);

const live = (code: string, when: Date, purpose: 'WEBHOOK' | 'SSO' = 'WEBHOOK'): Promise<string[]> =>
  providerSecrets(own.db, testKeys, code, purpose, when);

function rotate(code: string, when: Date, purpose: 'WEBHOOK' | 'SSO' = 'WEBHOOK'): Promise<string> {
  const untilThen = purpose === 'WEBHOOK' ? new Date(when.getTime() + 24 * 3_600_000) : null;
  return inTransaction(own.db, async (tx) => {
    await lockProvider(tx, code);
    return replaceSecret(tx, testKeys, { code, purpose, untilThen }, when);
  });
}

test('a new provider has a secret of each purpose, in the form of each', async () => {
  const { code, webhookSecret, ssoKey } = await make.provider(own.db, { at });
  expect(webhookSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(ssoKey).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(Buffer.from(ssoKey, 'base64url')).toHaveLength(32);
  expect(await live(code, at)).toEqual([webhookSecret]);
  expect(await live(code, at, 'SSO')).toEqual([ssoKey]);
  expect(await providerByCode(own.db, code)).toMatchObject({ code, isActive: true, createdAt: at });
  expect(await live('nobody', at)).toEqual([]);
});

test('a code is taken once, and a second try changes nothing', async () => {
  const { code, webhookSecret } = await make.provider(own.db, { at, name: 'First' });
  const again = await inTransaction(own.db, (tx) =>
    createProvider(
      tx,
      testKeys,
      {
        ...{ code, name: 'Second', apiBase: null, ssoAudience: null, ssoUrl: null },
        ...{ webhooksPerMinute: null, isActive: true },
      },
      at,
    ),
  );
  expect(again).toBeNull();
  expect(await providerByCode(own.db, code)).toMatchObject({ name: 'First' });
  expect(await live(code, at)).toEqual([webhookSecret]);
});

test('a replaced report secret is accepted until its time; another replacement ends the oldest at once', async () => {
  const { code, webhookSecret: first, ssoKey } = await make.provider(own.db, { at });
  const second = await rotate(code, at);
  expect(await live(code, after(23.9))).toEqual([second, first]);
  expect(await live(code, after(24))).toEqual([second]);
  const third = await rotate(code, after(1));
  expect(await live(code, after(1))).toEqual([third, second]);
  expect(await secretTimes(own.db, [code], after(1))).toEqual([
    { providerCode: code, purpose: 'SSO', createdAt: at, validUntil: null },
    { providerCode: code, purpose: 'WEBHOOK', createdAt: after(1), validUntil: null },
    { providerCode: code, purpose: 'WEBHOOK', createdAt: at, validUntil: after(25) },
  ]);
  expect(await live(code, after(1), 'SSO')).toEqual([ssoKey]);
});

test('a replaced key of tokens is deleted at once', async () => {
  const { code, ssoKey } = await make.provider(own.db, { at });
  const next = await rotate(code, at, 'SSO');
  expect(next).not.toBe(ssoKey);
  expect(await live(code, at, 'SSO')).toEqual([next]);
});

test('ten replacements at once leave the last one and the one before it', async () => {
  const { code } = await make.provider(own.db, { at });
  const made = await Promise.all(Array.from({ length: 10 }, () => rotate(code, at)));
  const left = await live(code, at);
  expect(left).toHaveLength(2);
  expect(made).toEqual(expect.arrayContaining(left));
});

test('a secret opens only in its own row, and never without its key', async () => {
  const one = await make.provider(own.db, { at });
  const other = await make.provider(own.db, { at });
  const stored = await rows<{ secret: Buffer }>(own.db, 'SELECT secret FROM investment_provider_secrets');
  const text = Buffer.concat(stored.map(({ secret }) => secret)).toString('latin1');
  for (const secret of [one.webhookSecret, one.ssoKey]) expect(text).not.toContain(secret);
  await execute(
    own.db,
    `UPDATE investment_provider_secrets s SET secret = o.secret FROM investment_provider_secrets o
      WHERE s.provider_code = $1 AND o.provider_code = $2 AND s.purpose = o.purpose`,
    [one.code, other.code],
  );
  await expect(live(one.code, at)).rejects.toThrow();
  const strange = new KeyRing([{ id: 'strange', key: randomBytes(32) }]);
  await expect(providerSecrets(own.db, strange, other.code, 'WEBHOOK', at)).rejects.toThrow(
    'not on the ring',
  );
});
