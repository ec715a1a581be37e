import { createServer, type Server, type ServerResponse } from 'node:http';
import type { WorkerMetrics } from './metrics';

/** Serves the probes of supervisors, live while the process runs and ready while it takes work, and the metrics. */
export function serveHealth(
  address: { host: string; port: number },
  isReady: () => boolean,
  metrics: WorkerMetrics,
): Promise<Server> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0];
    if (path === '/metrics') void answerMetrics(response, metrics);
    else if (path === '/health/live' || (path === '/health/ready' && isReady())) answer(response, 200, 'ok');
    else if (path === '/health/ready') answer(response, 503, 'not ready');
    else answer(response, 404, 'not found');
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => resolve(server));
  });
}

function answer(response: ServerResponse, code: number, status: string): void {
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify({ status }));
}

async function answerMetrics(response: ServerResponse, { contentType, page }: WorkerMetrics): Promise<void> {
  try {
    const text = await page();
    response.writeHead(200, { 'content-type': contentType }).end(text);
  } catch {
    answer(response, 500, 'no metrics');
  }
}
