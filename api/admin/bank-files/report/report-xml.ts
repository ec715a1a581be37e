import { DOMParser, type Element } from '@xmldom/xmldom';
import { refusal } from '../../../../workflows/errors';
import { invalid } from '../../../http/validation/validation';

/** The versions of pain.002 that banks send; what is read of them is the same in all. */
const NAMESPACE = /^urn:iso:std:iso:20022:tech:xsd:pain\.002\.\d{3}\.\d{2}$/;

/**
 * The root of a report. A document type is refused unread, so that no entity is ever expanded. Refuses with INVALID_FILE_TYPE
 * what is not UTF-8, not XML, or of another kind; with VALIDATION_ERROR what no report on one of our files can be.
 */
export function reportIn(file: Buffer): Element {
  const text = textOf(file);
  // PostgreSQL stores no NUL, and XML allows none.
  if (text.includes('\0')) throw noReport('must be XML');
  if (/<!DOCTYPE/i.test(text)) throw noReport('must have no document type');
  if (countOf(text, '<') > MOST_TAGS || countOf(text, 'xmlns') > MOST_NAMESPACES)
    throw notReadable('has more parts than a report on one of our files can have');
  const root = parsed(text);
  if (root?.localName !== 'Document' || !NAMESPACE.test(root.namespaceURI ?? ''))
    throw noReport('must be a payment status report (pain.002)');
  return root;
}

/** A report on the most transfers of a file, with all that banks repeat of each; the parser takes half a second for it. */
const MOST_TAGS = 120_000;
/** The parser's time grows with the square of their number. */
const MOST_NAMESPACES = 20;

const countOf = (text: string, part: string): number => text.split(part).length - 1;

function textOf(file: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    throw noReport('must be in UTF-8');
  }
}

/** Anything odd in the text is an error: half a report must not be read as a whole one. */
function parsed(text: string): Element | null {
  const onError = (_level: string, message: string): never => {
    throw new Error(message);
  };
  try {
    return new DOMParser({ onError, locator: false }).parseFromString(text, 'text/xml').documentElement;
  } catch {
    throw noReport('must be XML');
  }
}

/** The children of this name, in any namespace. */
export const childrenOf = (parent: Element, name: string): Element[] => {
  const found: Element[] = [];
  for (let child = parent.firstChild; child; child = child.nextSibling)
    if (child.nodeType === child.ELEMENT_NODE && (child as Element).localName === name)
      found.push(child as Element);
  return found;
};

/** The first child of this name, or null. */
export const childOf = (parent: Element, name: string): Element | null => childrenOf(parent, name)[0] ?? null;

/** The longest value that is read: names have at most 35 characters, words about a reason 105. */
const MOST_CHARACTERS = 110;

/** The text of the first child of this name; null when there is none, or it is empty. */
export function valueOf(parent: Element, name: string): string | null {
  const child = childOf(parent, name);
  return child && ownText(child);
}

/** The text of an element, null if it is empty; of its own text only, since what is nested in it may be deep. */
export function ownText(element: Element): string | null {
  let text = '';
  for (let node = element.firstChild; node; node = node.nextSibling)
    if (node.nodeType === node.TEXT_NODE || node.nodeType === node.CDATA_SECTION_NODE)
      text += node.nodeValue ?? '';
  text = text.trim();
  if (text.length > MOST_CHARACTERS) throw notReadable(`has too long a value of ${element.localName}`);
  return text === '' ? null : text;
}

const noReport = (why: string): Error =>
  refusal('INVALID_FILE_TYPE', 'The file must be a payment status report (pain.002) in UTF-8.', {
    file: [why],
  });

/** The refusal of a report because of what it says. */
export const notReadable = (why: string): Error => invalid({ file: [why] });
