/** Second words for one thing: email (address), phone number, sign in and out, image, avatar. */
const SECOND_WORDS =
  'e-mail\\w*|mail(s|ed|ing)?|telephone\\w*|pictures?|(log(s|ged|ging)?[ -](in|out)|logins?|logouts?)';

/** Of libraries and of our insides, which callers do not know. */
const INSIDES =
  'invalid input|invalid option|expected|received|too (small|big)|there is no|process|workflow|checkout|9007199254740991';

const ofWords = (words: string): RegExp => new RegExp(`\\b(${words})\\b`, 'i');

/** Words that no summary or description of the document has. */
export const BANNED_IN_PROSE = ofWords(SECOND_WORDS);

/** Words that no message has. */
export const BANNED_IN_MESSAGES = ofWords(`${INSIDES}|${SECOND_WORDS}`);

/** Rows are those of files only. */
export const ROWS = ofWords('rows?');
