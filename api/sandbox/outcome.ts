import type { PaymentOutcome } from '../../workflows/commerce/payment/payment-report.rules';
import type { SandboxLink } from '../../workflows/commerce/sandbox/sandbox-link.rules';

/** The buttons of the payment page; each is the last segment of its form's URL. */
export const SANDBOX_ACTIONS = ['pay', 'decline', 'pay-late', 'pay-twice'] as const;
export type SandboxAction = (typeof SANDBOX_ACTIONS)[number];

/** The result of a button. ALREADY_…: the payment had this outcome before, so nothing was recorded or reported. */
export const OUTCOMES = [
  'PAID',
  'PAID_LATE',
  'PAID_TWICE',
  'DECLINED',
  'EXPIRED',
  'ALREADY_PAID',
  'ALREADY_DECLINED',
  'ALREADY_EXPIRED',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface SandboxSettlement {
  outcome: Outcome;
  entries: readonly { status: PaymentOutcome; delayMs: number }[];
}

/** The time between the reports that the payment expired and that it was paid. */
const LATE_MS = 2_000;

/**
 * Computes the outcome of a button. Declined and expired payments may still be paid late, as with real companies; a paid one is closed.
 */
export function settle(
  action: SandboxAction,
  link: Pick<SandboxLink, 'method' | 'amountMinor' | 'expiresAt'>,
  recorded: readonly PaymentOutcome[],
  now: Date,
): SandboxSettlement {
  const once = (status: 'DECLINED' | 'EXPIRED'): SandboxSettlement =>
    recorded.includes(status)
      ? { outcome: `ALREADY_${status}`, entries: [] }
      : { outcome: status, entries: [{ status, delayMs: 0 }] };
  const paid = { status: 'PAID', delayMs: 0 } as const;

  if (recorded.includes('PAID')) return { outcome: 'ALREADY_PAID', entries: [] };
  if (action !== 'decline' && isScriptedDecline(link)) return once('DECLINED');
  if (action === 'pay-late')
    return {
      outcome: 'PAID_LATE',
      entries: [
        { status: 'EXPIRED', delayMs: 0 },
        { status: 'PAID', delayMs: LATE_MS },
      ],
    };
  if (now.getTime() > Date.parse(link.expiresAt)) return once('EXPIRED');
  if (action === 'decline') return once('DECLINED');
  return action === 'pay'
    ? { outcome: 'PAID', entries: [paid] }
    : { outcome: 'PAID_TWICE', entries: [paid, paid] };
}

/** Card amounts that end in .13 are declined, so that tests and developers can have a card that does not work. */
const isScriptedDecline = ({ method, amountMinor }: Pick<SandboxLink, 'method' | 'amountMinor'>): boolean =>
  method === 'CARD' && amountMinor % 100 === 13;
