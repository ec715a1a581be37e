import { createServer, type Server } from 'node:http';

/** Tells supervisors how the worker is: live as soon as the process runs, ready while it takes work. */
export function serveHealth(port: number, isReady: () => boolean): Promise<Server> {
  const server = createServer((request, response) => {
    const ok = request.url === '/health/live' || (request.url === '/health/ready' && isReady());
    const known = request.url === '/health/live' || request.url === '/health/ready';
    response.writeHead(ok ? 200 : known ? 503 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ status: ok ? 'ok' : known ? 'not ready' : 'not found' }));
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, () => resolve(server));
  });
}
