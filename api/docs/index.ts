import { Router } from 'express';
import { dirname } from 'node:path';
import type { Endpoint } from '../http/endpoint';
import { describeApi } from './document';
import { page, PAGE_POLICY, startScript } from './page';

/** Resolved only: loading the package would run all of its viewer. */
const ASSET_FOLDER = dirname(require.resolve('swagger-ui-dist'));
const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];
/** The pages change only with a release. */
const CACHE_CONTROL = 'public, max-age=300';

/** The documentation for /api/docs: the page at its root, the document as openapi.json. */
export function docsPages(endpoints: readonly Endpoint[]): Router {
  const router = Router();
  let document: string | undefined;
  router.get('/openapi.json', (_req, res) => {
    document ??= JSON.stringify(describeApi(endpoints));
    res
      .set('Access-Control-Allow-Origin', '*')
      .set('Cache-Control', CACHE_CONTROL)
      .type('json')
      .send(document);
  });
  router.get('/', (req, res) => {
    // The page loads its files by relative URLs, so its own URL must end with a slash.
    if (req.originalUrl.replace(/\?.*$/s, '').endsWith('/'))
      res.set('Content-Security-Policy', PAGE_POLICY).type('html').send(page);
    else res.redirect(308, `${req.baseUrl}/`);
  });
  router.get('/start.js', (_req, res) => {
    res.type('text/javascript').send(startScript);
  });
  for (const asset of ASSETS) {
    router.get(`/${asset}`, (_req, res) => {
      res.set('Cache-Control', CACHE_CONTROL).sendFile(asset, { root: ASSET_FOLDER, cacheControl: false });
    });
  }
  return router;
}
