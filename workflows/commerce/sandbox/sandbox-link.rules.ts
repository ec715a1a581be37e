/** A payment as the sandbox's page knows it; its address carries all of this. */
export interface SandboxLink {
  /** The payment attempt's id. */
  key: string;
  amountMinor: number;
  currency: string;
  method: string;
  description: string;
  /** ISO 8601. */
  expiresAt: string;
}

/** The text that a link's signature is over. No other text that is signed with the same secret has this form. */
export function sandboxLinkText(link: SandboxLink): string {
  const { key, amountMinor, currency, method, description, expiresAt } = link;
  return JSON.stringify(['sandbox payment link', key, amountMinor, currency, method, description, expiresAt]);
}

/** The text that the signature of the page of transfers is over. */
export const SANDBOX_TRANSFERS_TEXT = JSON.stringify(['sandbox page of transfers']);
