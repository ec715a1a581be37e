import type { Logger } from 'pino';
import type { KeyRing } from '../../../db/sealing/key-ring';
import { clientNetwork } from '../request/client-address';

/** What may happen to an account, or be tried on it, that whoever guards the platform wants to know of. */
export const SECURITY_EVENTS = [
  'account-banned',
  'account-suspended',
  'confirm',
  'deletion-undo',
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
  /** Whose account it is about: its id, or its region and address where there is none. Only a fingerprint is logged. */
  account: string | { region: string; email: string };
  /** How they proved themselves, or what was done: a fixed word. */
  method?: string;
  /** Why it failed, or was done: a fixed word. */
  reason?: string;
}

/** Writes down what happened to an account or was tried on it. To be called once it has happened for good. */
export type RecordSecurityEvent = (event: SecurityEvent) => void;

/** Counts an event of this name and outcome. */
export type CountSecurityEvent = (labels: Pick<SecurityEvent, 'event' | 'outcome'>) => void;

interface Deps {
  sealing: Pick<KeyRing, 'fingerprint'>;
  /** Names the request in each of its lines. */
  log: Logger;
  clientAddress: string;
  count?: CountSecurityEvent | undefined;
}

/** Enough to tell accounts apart. */
const FINGERPRINT_CHARACTERS = 32;

/** Writes one line for an event and counts it. The line holds what is named here: no address, name, code or password. */
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
