import { settle, type Press } from '../../../api/sandbox/outcome';

const now = new Date('2026-03-01T12:00:00.000Z');
const card = { method: 'CARD', amountMinor: 49_900, expiresAt: '2026-03-01T12:30:00.000Z' };
const past = { ...card, expiresAt: '2026-03-01T11:59:59.999Z' };
const scripted = { ...card, amountMinor: 1_013 };

const at = (status: string, delayMs = 0) => ({ status, delayMs });

test.each<[Press, typeof card, string, unknown[]]>([
  ['pay', card, 'PAID', [at('PAID')]],
  ['decline', card, 'DECLINED', [at('DECLINED')]],
  ['pay-twice', card, 'PAID_TWICE', [at('PAID'), at('PAID')]],
  ['pay-late', card, 'PAID_LATE', [at('EXPIRED'), at('PAID', 2_000)]],
  ['pay', past, 'EXPIRED', [at('EXPIRED')]],
  ['decline', past, 'EXPIRED', [at('EXPIRED')]],
  ['pay-twice', past, 'EXPIRED', [at('EXPIRED')]],
  ['pay-late', past, 'PAID_LATE', [at('EXPIRED'), at('PAID', 2_000)]],
  ['pay', scripted, 'DECLINED', [at('DECLINED')]],
  ['pay-twice', scripted, 'DECLINED', [at('DECLINED')]],
  ['pay-late', scripted, 'DECLINED', [at('DECLINED')]],
  ['pay', { ...scripted, method: 'EWALLET' }, 'PAID', [at('PAID')]],
  ['pay', { ...card, amountMinor: 1_300 }, 'PAID', [at('PAID')]],
])('%s on %j comes to %s', (press, link, outcome, entries) => {
  expect(settle(press, link, [], now)).toEqual({ outcome, entries });
});

test.each<Press>(['pay', 'decline', 'pay-late', 'pay-twice'])(
  'a paid payment is closed: %s records nothing',
  (press) => {
    expect(settle(press, card, ['EXPIRED', 'PAID'], now)).toEqual({ outcome: 'ALREADY_PAID', entries: [] });
  },
);

test('what was declined or has expired is reported once, and may still be paid', () => {
  expect(settle('decline', card, ['DECLINED'], now)).toEqual({ outcome: 'ALREADY_DECLINED', entries: [] });
  expect(settle('pay', past, ['EXPIRED'], now)).toEqual({ outcome: 'ALREADY_EXPIRED', entries: [] });
  expect(settle('pay', card, ['DECLINED'], now).outcome).toBe('PAID');
  expect(settle('pay-late', past, ['EXPIRED'], now).outcome).toBe('PAID_LATE');
});
