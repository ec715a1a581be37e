import { createHash } from 'node:crypto';

/** Text that is escaped for a page. Only `html` creates it, so nothing reaches a page unescaped. */
export class Html {
  constructor(readonly text: string) {}
}

/** A part of a page: values that are filled in are escaped, unless they are parts of a page themselves. */
export function html(parts: TemplateStringsArray, ...filled: (string | Html | readonly Html[])[]): Html {
  const text = filled.map((value, index) => written(value) + (parts[index + 1] ?? ''));
  return new Html((parts[0] ?? '') + text.join(''));
}

function written(value: string | Html | readonly Html[]): string {
  if (typeof value === 'string') return escaped(value);
  return value instanceof Html ? value.text : value.map((part) => part.text).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '');

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 26rem; margin: 4rem auto; padding: 0 1rem; color: #1c2430; }
h1 { font-size: 1.3rem; } .amount { font-size: 2rem; font-weight: 600; margin: 0; }
button { font: inherit; width: 100%; padding: .6rem; margin: .25rem 0; border: 1px solid #8a94a3; border-radius: .4rem;
  background: #fff; cursor: pointer; } .first button { background: #14532d; border-color: #14532d; color: #fff; }
small { color: #566173; overflow-wrap: anywhere; } section { border-top: 1px solid #8a94a3; padding: .5rem 0; }
`;

/** The pages' policy: no script and no loaded content; the style is allowed by its hash, forms only to this site. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const style = new Html(`<style>${STYLE}</style>`);

/** A whole page. */
export const page = (title: string, body: Html): string =>
  `<!doctype html>\n${
    html`<html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title}</title>
        ${style}
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html>`.text
  }\n`;

/** An amount as pages show it, by its currency's code. */
export function amountText({ amountMinor, currency }: { amountMinor: number; currency: string }): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' });
  return format.format(amountMinor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
