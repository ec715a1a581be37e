import { z } from 'zod';

const Line = z.object({
  level: z.enum(['info', 'warn']),
  requestId: z.string().min(1),
  msg: z.literal('security event'),
  security: z.strictObject({
    event: z.string(),
    outcome: z.enum(['success', 'failure']),
    account: z.string().regex(/^[0-9a-f]{32}$/),
    method: z.string().optional(),
    reason: z.string().optional(),
    clientNetwork: z.string().min(1),
  }),
});

type SecurityLine = z.output<typeof Line>['security'];

/** The security events among lines of a log, in the order they were written. */
export const securityEventsIn = (lines: readonly string[]): SecurityLine[] =>
  lines
    .map((line) => JSON.parse(line) as { msg?: string })
    .filter(({ msg }) => msg === 'security event')
    .map((line) => Line.parse(line).security);

/** An event in short: `login failure password wrong`. */
export const inShort = ({ event, outcome, method, reason }: SecurityLine): string =>
  [event, outcome, method, reason].filter((word) => word !== undefined).join(' ');
