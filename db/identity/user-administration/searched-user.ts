/**
 * The text of a user `u` that is searched, a line for each part, so that no word is found across two of them. The expression
 * of the index users_search_idx.
 */
export const SEARCHED_USER = `(u.email || E'\\n' || u.first_name || ' ' || u.last_name || E'\\n' || coalesce(u.phone, ''))`;
