/** Ways to write a bank's reference so that nobody sees the difference. */
export const LOOK_ALIKES: [what: string, like: (reference: string) => string][] = [
  ['one with a zero-width space', (reference) => `${reference}\u200b`],
  ['one with a soft hyphen', (reference) => reference.replace('K', 'K\u00ad')],
  ['one with other hyphens', (reference) => reference.replaceAll('-', '\u2011')],
  ['one with dashes', (reference) => reference.replace('-', '\u2013').replace('-', '\u2212')],
  ['one in full width', (reference) => reference.replace('BANK', '\uff22\uff21\uff2e\uff2b')],
  ['one with blanks and line breaks', (reference) => `\u0085${reference.replace('K', 'K\u2003\t')}\u2800\n`],
  ['one in small letters', (reference) => reference.toLowerCase()],
];

/** References of which nothing is seen. */
export const UNSEEN = ['', '  ', '\u0085', '\u200b\u00ad', '\ufeff', '\u0000', '\u3164', '\u2800'];
