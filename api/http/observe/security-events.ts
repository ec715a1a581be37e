import type { Logger } from 'pino';
import type { KeyRing } from '../../../db/sealing/key-ring';
import { clientNetwork } from '../client-address/client-address';

/** The events about accounts that are recorded for security monitoring, attempts included. */
export const SECURITY_EVENTS = [
  'account-banned',
  'account-suspended',
  'confirm',
  'deletion-undo',
  'infected-file',
  'kyc-unreadable',
  'lockout',
  'login',
  'password-change',
  'password-reset',
  'refresh-token-reuse',
  'role-change',
  'second-factor',
  'session-revoked',
  'two-factor-off',
  'two-factor-on',
  'two-factor-reset',
  'two-factor-undo',
] as const;

export interface SecurityEvent {
  event: (typeof SECURITY_EVENTS)[number];
  outcome: 'success' | 'failure';
  /** The account's id, or region and e-mail address if no account exists. Only a fingerprint is logged. */
  account: string | { region: string; email: string };
  /** The way of authentication or the action: a fixed word. */
  method?: string;
  /** The reason for the failure or the action: a fixed word. */
  reason?: string;
}

/** Records an event about an account. Call it after the commit. */
export type RecordSecurityEvent = (event: SecurityEvent) => void;

/** Counts an event of this name and outcome. */
export type CountSecurityEvent = (labels: Pick<SecurityEvent, 'event' | 'outcome'>) => void;

interface Deps {
  sealing: Pick<KeyRing, 'fingerprint'>;
  /** The request's logger, whose lines carry its id. */
  log: Logger;
  clientAddress: string;
  count?: CountSecurityEvent | undefined;
}

/** Enough characters to distinguish accounts. */
const FINGERPRINT_CHARACTERS = 32;

/** Logs and counts an event. The line has only the fields below: no address, name, code or password. */
export function recordSecurityEvent(
  { sealing, log, clientAddress, count }: Deps,
  { event, outcome, account, method, reason }: SecurityEvent,
): void {
  const name = typeof account === 'string' ? account : `${account.region}:${account.email}`;
  const fingerprint = sealing.fingerprint(Buffer.from(name), 'security-event');
  const line = {
    security: {
      event,
      outcome,
      account: fingerprint.slice(0, FINGERPRINT_CHARACTERS),
      ...(method !== undefined && { method }),
      ...(reason !== undefined && { reason }),
      clientNetwork: clientNetwork(clientAddress),
    },
  };
  if (outcome === 'failure') log.warn(line, 'security event');
  else log.info(line, 'security event');
  count?.({ event, outcome });
}
