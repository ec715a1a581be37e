import { z } from 'zod';
import type { Endpoint } from '../endpoint';
import { paginationOf } from './envelope';
import { digits } from '../request/fields';
import type { Page } from './reply';

export const SortOrderField = z
  .enum(['asc', 'desc'])
  .meta({ id: 'SortOrder', description: 'Ascending or descending.' });

/** Keeps offsets far below PostgreSQL's limit; no reader needs a page beyond it. */
const LAST_PAGE = 100_000;
export const PAGE_SIZE = 20;

/**
 * The query fields of a paginated list; spread them into the endpoint's query: `z.object({ ...paging(50), status })`.
 */
export const paging = (maxPageSize = 100) => ({
  page: digits({ min: 1, max: LAST_PAGE }).default(1).describe('The page to answer, from 1.'),
  pageSize: digits({ min: 1, max: maxPageSize })
    .default(Math.min(PAGE_SIZE, maxPageSize))
    .describe(`The most entries that the page has, at most ${maxPageSize}.`),
});

/** The rows of a page. */
export const windowOf = ({ page, pageSize }: { page: number; pageSize: number }) => ({
  limit: pageSize,
  offset: (page - 1) * pageSize,
});

/** The `Link` header (RFC 8288) of a page of the list at `url`. Its links keep the query parameters of the contract. */
export function pageLinks(url: string, page: Page, endpoint: Endpoint): string {
  const { totalPages, hasNext, hasPrevious } = paginationOf(page);
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  const known = knownParameters(query, endpoint);
  const link = (to: number, rel: string) => {
    const parameters = new URLSearchParams(known);
    parameters.set('page', String(to));
    parameters.set('pageSize', String(page.pageSize));
    return `<${path}?${parameters.toString()}>; rel="${rel}"`;
  };
  const last = Math.max(1, totalPages);
  return [
    link(1, 'first'),
    ...(hasPrevious ? [link(Math.min(page.page - 1, last), 'prev')] : []),
    ...(hasNext ? [link(page.page + 1, 'next')] : []),
    link(last, 'last'),
  ].join(', ');
}

/** The parameters that the contract knows, each once; other text from a client must not enter a header. */
function knownParameters(query: string, { query: schema }: Endpoint): [name: string, value: string][] {
  const known = new Set(schema instanceof z.ZodObject ? Object.keys(schema.shape) : []);
  const named = [...new URLSearchParams(query)].filter(([name]) => known.has(name));
  return named.filter(
    ([name, value], at) => named.findIndex((other) => other[0] === name && other[1] === value) === at,
  );
}
