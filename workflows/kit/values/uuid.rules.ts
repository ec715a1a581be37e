/** A UUID in small letters, as a regular expression of JavaScript and of PostgreSQL, without a group of its own. */
export const UUID_PATTERN = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

const WHOLE = new RegExp(`^${UUID_PATTERN}$`, 'i');

/** True for a UUID, in letters of any case. */
export const isUuid = (text: string): boolean => WHOLE.test(text);
