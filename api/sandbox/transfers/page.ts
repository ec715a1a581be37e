import type { SandboxTransferRow } from '../../../db/commerce/sandbox/sandbox-transfer.reads';
import { momentInWords } from '../../../workflows/administration/outbox/letter.rules';
import { amountText, html, page, type Html } from '../html';
import type { TransferOutcome, TransferAction } from './act-on-transfer.command';

/** The transfers that the page shows. */
export const MOST_TRANSFERS = 100;

const statuses: Readonly<Record<SandboxTransferRow['status'], string>> = {
  UNDER_WAY: 'under way',
  ARRIVED: 'arrived',
  REFUSED: 'refused',
};

const endings: readonly { action: TransferAction; label: string }[] = [
  { action: 'settle', label: 'Settle' },
  { action: 'refuse', label: 'Refuse' },
  { action: 'settle-twice', label: 'Settle twice' },
];

const results: Readonly<Record<TransferOutcome, string>> = {
  SETTLED: 'The transfer has arrived. The platform asks for it now.',
  REFUSED: 'The transfer is refused. The platform asks for it now.',
  SETTLED_TWICE:
    'The bank has paid this transfer twice. The platform has to notice that another amount arrived.',
  LOSES_ANSWER: 'The next answer about this transfer is lost.',
  ALREADY_ARRIVED: 'This transfer had arrived before. Nothing was changed.',
  ALREADY_REFUSED: 'This transfer was refused before. Nothing was changed.',
  UNKNOWN: 'The sandbox does not know this transfer. Nothing was changed.',
};

/** The page of the newest transfers, newest first. `query` is the signed part of its own address. */
export function transfersPage(
  transfers: readonly SandboxTransferRow[],
  query: string,
  outcome: TransferOutcome | null,
): string {
  return page(
    'Transfers out',
    html`
      <h1>Transfers out</h1>
      ${outcome === null ? '' : html`<p>${results[outcome]}</p>`}
      ${transfers.length === 0 ? html`<p>Nothing was sent yet.</p>` : transfers.map((one) => part(one, query))}
      <small>
        This is the sandbox: no money moves. The newest ${String(MOST_TRANSFERS)} transfers are shown.
        Accounts and cards that end in 8888 keep their transfers under way until they are ended here.
      </small>
    `,
  );
}

function part(
  { key, status, copies, losesAnswer, createdAt, ...amount }: SandboxTransferRow,
  query: string,
): Html {
  const form = ({ action, label }: { action: TransferAction; label: string }): Html => html`
    <form method="post" action="${`transfers/${encodeURIComponent(key)}/${action}?${query}`}">
      <button type="submit">${label}</button>
    </form>
  `;
  return html`
    <section>
      <p class="amount">${amountText(amount)}</p>
      <p>${copies === 2 ? 'paid twice' : statuses[status]}, asked for on ${momentInWords(createdAt)}</p>
      <p><small>${key}</small></p>
      ${status === 'UNDER_WAY' ? endings.map(form) : ''}
      ${
        losesAnswer
          ? html`<p>The next answer is lost.</p>`
          : form({ action: 'lose-answer', label: 'Lose the next answer' })
      }
    </section>
  `;
}

/** The answer to an address without a right signature; it reveals no transfer. */
export const refusedTransfersPage = (): string =>
  page(
    'No transfers',
    html`
      <h1>This page is not open to you</h1>
      <p><code>npm run sandbox:transfers</code> prints its address.</p>
    `,
  );
