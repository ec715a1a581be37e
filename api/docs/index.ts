import { Router, type RequestHandler } from 'express';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Endpoint } from '../http/endpoint';
import { describeApi } from './document';
import { page, PAGE_POLICY, startScript } from './page';
import { sameForEveryone } from './representation';

/** Resolved only: loading the package would run all of its viewer. */
const ASSET_FOLDER = dirname(require.resolve('swagger-ui-dist'));
const TEXT_ASSETS = { 'swagger-ui.css': 'css', 'swagger-ui-bundle.js': 'text/javascript' };
const ICON = 'favicon-32x32.png';

/** The documentation for /api/docs: the page at its root, the document as openapi.json. */
export function docsPages(endpoints: readonly Endpoint[]): Router {
  const router = Router();
  const document = sameForEveryone('json', () => JSON.stringify(describeApi(endpoints)));
  router.get('/openapi.json', (_req, res, next) => {
    res.set('Access-Control-Allow-Origin', '*');
    next();
  });
  router.get('/openapi.json', document);
  router.get('/', (req, res) => {
    // The page loads its files by relative URLs, so its own URL must end with a slash.
    if (req.originalUrl.replace(/\?.*$/s, '').endsWith('/'))
      res.set('Content-Security-Policy', PAGE_POLICY).type('html').send(page);
    else res.redirect(308, `${req.baseUrl}/`);
  });
  router.get('/start.js', (_req, res) => {
    res.type('text/javascript').send(startScript);
  });
  for (const [asset, type] of Object.entries(TEXT_ASSETS))
    router.get(
      `/${asset}`,
      sameForEveryone(type, () => readFile(join(ASSET_FOLDER, asset), 'utf8')),
    );
  router.get(`/${ICON}`, (_req, res) => {
    res
      .set('Cache-Control', 'public, max-age=300')
      .sendFile(ICON, { root: ASSET_FOLDER, cacheControl: false });
  });
  return router;
}

/** The addresses that people open who look for the API, and that are no endpoint. */
export const BARE_PATHS = ['/', '/api', '/api/v1'] as const;

/** Sends people who open a bare address of the API to its documentation. */
export const docsPointer: RequestHandler = (_req, res) => {
  res.redirect(302, '/api/docs/');
};
