/** What a letter says, before it is laid out. */
export interface LetterContent {
  /** One line. */
  subject: string;
  greeting: string;
  paragraphs: readonly string[];
  /** Something to type or to follow, set apart from the text. */
  code?: string;
  link?: { label: string; url: string };
}

/** A letter as mail carries it: the same in plain text and in HTML. */
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

/** Text as HTML shows it, also within an attribute. */
const asHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

/** Names are people's own words: what would end a line, and so begin a header, becomes a space. */
const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').trim();

/** A number of things as a letter says it: 1 day, 14 days. */
export const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`;

/** Lays a letter out. Whatever people wrote stands in it as text and as nothing else. */
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
