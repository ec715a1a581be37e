/** The content of a letter, before its layout. */
export interface LetterContent {
  /** One line. */
  subject: string;
  /** One line. */
  greeting: string;
  /** A list is a paragraph of several lines. */
  paragraphs: readonly (string | readonly string[])[];
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

/** Lays a letter out. Text of users is escaped, and ends no line that it is on. */
export function letter({ subject, greeting: first, paragraphs: blocks, code, link }: LetterContent): Letter {
  const greeting = oneLine(first);
  const paragraphs = blocks.map((block) => (typeof block === 'string' ? [block] : block.map(oneLine)));
  const text = [
    greeting,
    ...paragraphs.map((lines) => lines.join('\n')),
    ...(code ? [code] : []),
    ...(link ? [`${link.label}: ${link.url}`] : []),
  ];
  const html = [
    `<p>${asHtml(greeting)}</p>`,
    ...paragraphs.map((lines) => `<p>${lines.map(asHtml).join('<br>')}</p>`),
    ...(code ? [`<p style="font-size:1.5em"><code>${asHtml(code)}</code></p>`] : []),
    ...(link ? [`<p><a href="${asHtml(link.url)}">${asHtml(link.label)}</a></p>`] : []),
  ];
  return { subject: oneLine(subject), text: text.join('\n\n'), html: html.join('\n') };
}
