/** The page with Swagger UI. Everything it loads is served by the API itself. */
export const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Marketplace platform: API</title>
    <link rel="stylesheet" href="swagger-ui.css">
    <link rel="icon" type="image/png" href="favicon-32x32.png">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="swagger-ui-bundle.js"></script>
    <script src="start.js"></script>
  </body>
</html>
`;

/**
 * Starts Swagger UI. Its requests carry no cookies, so that only the token under Authorize counts; a cookie of an
 * earlier login would take precedence. A POST without an Idempotency-Key gets a new one, as a careful client sends it;
 * endpoints that take none ignore it. Browsers make random ids only on HTTPS and on the own machine. Groups start
 * closed: from 150 lines on, the page draws only those in view, and a browser finds no others in it.
 */
export const startScript = `'use strict';
function withKey(request) {
  const isNamed = Object.keys(request.headers).some((name) => name.toLowerCase() === 'idempotency-key');
  if (request.method === 'POST' && !isNamed && window.crypto.randomUUID)
    request.headers['Idempotency-Key'] = window.crypto.randomUUID();
  return Object.assign(request, { credentials: 'omit' });
}
window.ui = SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#swagger-ui',
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  displayOperationId: false,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: true,
  showExtensions: true,
  tryItOutEnabled: true,
  requestInterceptor: withKey,
});
`;

/** Forbids foreign and inline content; images may be data URLs, which Swagger UI uses. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
