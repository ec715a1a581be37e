/** The content of a letter, before its layout. */
export interface LetterContent {
  /** One line. */
  subject: string;
  greeting: string;
  paragraphs: readonly string[];
  /** A code to type, and a link to follow, set apart from the text. */
  code?: string;
  link?: { label: string; url: string };
}

/** A letter in plain text and in HTML. */
export interface Letter {
  subject: string;
  text: string;
  html: string;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text escaped for HTML, also within an attribute. */
const asHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

/** Replaces control characters by spaces, since a line break in a person's name could begin a header. */
const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').trim();

/** Lays a letter out. Text of users is escaped. */
export function letter({ subject, greeting, paragraphs, code, link }: LetterContent): Letter {
  const text = [
    greeting,
    ...paragraphs,
    ...(code ? [code] : []),
    ...(link ? [`${link.label}: ${link.url}`] : []),
  ];
  const html = [
    `<p>${asHtml(greeting)}</p>`,
    ...paragraphs.map((paragraph) => `<p>${asHtml(paragraph)}</p>`),
    ...(code ? [`<p style="font-size:1.5em"><code>${asHtml(code)}</code></p>`] : []),
    ...(link ? [`<p><a href="${asHtml(link.url)}">${asHtml(link.label)}</a></p>`] : []),
  ];
  return { subject: oneLine(subject), text: text.join('\n\n'), html: html.join('\n') };
}
