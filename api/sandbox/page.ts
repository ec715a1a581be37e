import { PAYABLE_NOUNS } from '../../workflows/commerce/payable/payable.rules';
import type { PayablePayment } from '../../db/commerce/sandbox/sandbox.reads';
import { momentInWords } from '../../workflows/administration/outbox/letter.rules';
import type { SandboxLink } from '../../workflows/commerce/sandbox/sandbox-link.rules';
import { amountText, html, page, type Html } from './html';
import type { Outcome, SandboxAction } from './outcome';

const buttons: readonly { action: SandboxAction; label: string }[] = [
  { action: 'pay', label: 'Pay' },
  { action: 'decline', label: 'Decline' },
  { action: 'pay-late', label: 'Pay late' },
  { action: 'pay-twice', label: 'Pay twice' },
];

const REPORTED = 'The payment was reported. You may close this page.';

const results: Readonly<Record<Outcome, { title: string; text: string }>> = {
  PAID: { title: 'Paid', text: REPORTED },
  PAID_LATE: {
    title: 'Paid late',
    text: `It is reported as expired now, and as paid in two seconds. ${REPORTED}`,
  },
  PAID_TWICE: { title: 'Paid twice', text: `Two payments were made. ${REPORTED}` },
  DECLINED: { title: 'Declined', text: REPORTED },
  EXPIRED: { title: 'Expired', text: `The time to pay had passed. ${REPORTED}` },
  ALREADY_PAID: { title: 'Already paid', text: 'This payment was made before. Nothing more was recorded.' },
  ALREADY_DECLINED: {
    title: 'Already declined',
    text: 'This was reported before. Nothing more was recorded.',
  },
  ALREADY_EXPIRED: { title: 'Already expired', text: 'This was reported before. Nothing more was recorded.' },
};

/** The page where a payer chooses the outcome of a payment. `query` is the signed part of its own address. */
export function paymentPage(link: SandboxLink, query: string): string {
  const forms = buttons.map(
    ({ action, label }) => html`
      <form
        method="post"
        action="${`${link.key}/${action}?${query}`}"
        ${action === 'pay' ? html`class="first"` : ''}
      >
        <button type="submit">${label}</button>
      </form>
    `,
  );
  return page(
    `Pay ${link.description}`,
    html`
      <h1>${link.description}</h1>
      <p class="amount">${amountText(link)}</p>
      <p>
        By ${link.method === 'CARD' ? 'card' : 'e-wallet'}, until ${momentInWords(new Date(link.expiresAt))}
      </p>
      ${forms}
      <small>This is the sandbox: no money moves.</small>
    `,
  );
}

/** The reason that nothing can be paid now; null: the payment can be made. */
export function whyClosed(link: SandboxLink, found: PayablePayment | null, now: Date): string | null {
  if (found) {
    const noun = PAYABLE_NOUNS[found.kind];
    if (found.payable === 'CANCELLED') return `This ${noun} was cancelled.`;
    if (found.payable !== 'PENDING_PAYMENT') return `This ${noun} is already paid.`;
    if (found.attempt === 'CANCELLED') return `Another payment was opened for this ${noun}.`;
  }
  const until = new Date(link.expiresAt);
  return until < now ? `The time to pay ended on ${momentInWords(until)}.` : null;
}

/** The page of a payment that can no longer be made. */
export const closedPage = (why: string, link: SandboxLink, homeUrl: string): string =>
  page(
    `Nothing to pay: ${link.description}`,
    html`
      <h1>Nothing to pay</h1>
      <p>${link.description}: ${amountText(link)}</p>
      <p>${why}</p>
      ${wayBack(homeUrl)}
    `,
  );

const wayBack = (homeUrl: string): Html => html`<p><a href="${homeUrl}">Look at the order</a></p>`;

/** The result of a button, or of an earlier one. */
export function outcomePage(outcome: Outcome, link: SandboxLink, homeUrl: string): string {
  const { title, text } = results[outcome];
  return page(
    title,
    html`
      <h1>${title}</h1>
      <p>${link.description}: ${amountText(link)}</p>
      <p>${text}</p>
      ${wayBack(homeUrl)}
    `,
  );
}

/** The answer to an address without a right signature; it reveals nothing about the payment. */
export const refusedPage = (): string =>
  page(
    'Not a payment',
    html`
      <h1>This is not a payment</h1>
      <p>The address was changed. Please go back and open it again.</p>
    `,
  );
