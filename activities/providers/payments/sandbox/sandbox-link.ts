import type { SandboxLink } from '../../../../workflows/commerce/sandbox/sandbox-link.rules';
import { linkSignature } from './webhook';

/** The address of the sandbox's page for one payment. It carries all that the page shows, with a signature. */
export function sandboxPaymentUrl(publicUrl: string, secret: string, link: SandboxLink): string {
  const url = new URL(`${publicUrl.replace(/\/+$/, '')}/sandbox/payments/${encodeURIComponent(link.key)}`);
  const signature = linkSignature(link, secret).toString('base64url');
  const { amountMinor, currency, method, description, expiresAt } = link;
  url.search = new URLSearchParams({
    amount: String(amountMinor),
    currency,
    method,
    description,
    expires: expiresAt,
    signature,
  }).toString();
  return url.toString();
}
