/** A payment as the sandbox's page learns of it: from its address alone. */
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

/** The text whose signature vouches for a link. Nothing else that is signed with the same secret reads like it. */
export function sandboxLinkText(link: SandboxLink): string {
  const { key, amountMinor, currency, method, description, expiresAt } = link;
  return JSON.stringify(['sandbox payment link', key, amountMinor, currency, method, description, expiresAt]);
}
