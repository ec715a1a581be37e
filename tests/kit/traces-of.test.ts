import { tracesIn } from '../support/checks/traces-of';

const secret = 'C01X00T47-striking';

test.each([0, 1, 2, 3, 4])('bytes are found in base64 behind %s others, and in hex', (before) => {
  const whole = Buffer.from(`${'x'.repeat(before)}${secret}${'y'.repeat(5)}`);
  for (const encoding of ['latin1', 'base64', 'base64url', 'hex'] as const)
    expect(tracesIn(Buffer.from(whole.toString(encoding)), { number: secret, other: 'not here' })).toEqual([
      'number',
    ]);
});

test('other bytes are not', () => {
  for (const encoding of ['latin1', 'base64', 'hex'] as const)
    expect(tracesIn(Buffer.from(Buffer.from('C01X00T48-striking').toString(encoding)), { secret })).toEqual(
      [],
    );
});
