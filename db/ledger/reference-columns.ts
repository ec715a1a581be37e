import { REFERENCES, type ReferenceKind } from '../../workflows/ledger/reference.rules';

/** The kinds as SQL: `('order-hold', 'order-release')`. A misspelled one does not compile. */
const listed = (kinds: readonly ReferenceKind[]): string =>
  `(${kinds.map((kind) => `'${kind}'`).join(', ')})`;

/** True if the transfer of this alias is of one of these kinds. */
export const isOf = (transfer: string, ...kinds: readonly [ReferenceKind, ...ReferenceKind[]]): string =>
  kinds.length === 1 ? `${transfer}.kind = '${kinds[0]}'` : `${transfer}.kind IN ${listed(kinds)}`;

/** The id of the subject of the transfer of this alias, as a uuid; null if it is of none of these kinds. */
export const subjectOf = (transfer: string, ...kinds: readonly [ReferenceKind, ...ReferenceKind[]]): string =>
  `CASE WHEN ${isOf(transfer, ...kinds)} THEN ${transfer}.subject_id::uuid END`;

/** The reference of the transfer of this alias as it is shown; the transfer is of this kind. */
export const shownReference = (transfer: string, kind: ReferenceKind): string =>
  REFERENCES[kind].text
    .split(/(\{subject\}|\{part\})/)
    .filter((text) => text !== '')
    .map((text) => {
      if (text === '{subject}') return `${transfer}.subject_id`;
      return text === '{part}' ? `${transfer}.part` : `'${text}'`;
    })
    .join(' || ');

/** The three columns of a reference in one text, by which an operator finds the transfer of this alias. */
export const columnsAsText = (transfer: string): string =>
  `concat_ws(':', ${transfer}.kind, ${transfer}.subject_id, nullif(${transfer}.part, ''))`;

const ALL = Object.keys(REFERENCES) as ReferenceKind[];

/** All kinds as SQL, and those whose references have a part. */
export const KINDS = listed(ALL);
export const PARTED_KINDS = listed(ALL.filter((kind) => REFERENCES[kind].text.includes('{part}')));
