import express from 'express';
import supertest from 'supertest';
import { docsPages } from '../../../api/docs';
import { describeApi } from '../../../api/docs/document';
import { authEndpoints } from '../../../api/auth';

const http = supertest(express().use('/api/docs', docsPages(authEndpoints)));

test('the URL without the final slash redirects to the page', async () => {
  const { status, headers } = await http.get('/api/docs?x=1');
  expect({ status, location: headers['location'] }).toEqual({ status: 308, location: '/api/docs/' });
});

test('the page allows no foreign and no inline content', async () => {
  const { status, headers, text } = await http.get('/api/docs/');
  expect(status).toBe(200);
  expect(headers['content-type']).toMatch(/^text\/html/);
  expect(headers['content-security-policy']).toContain(
    "default-src 'none'; script-src 'self'; style-src 'self';",
  );
  expect(headers['content-security-policy']).not.toContain('unsafe');
  expect(text).not.toMatch(/https?:|<script>|<style|style=|onload=/);
});

test('the files that the page loads exist', async () => {
  const { text } = await http.get('/api/docs/');
  const names = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, name]) => name);
  expect(names).toEqual(['swagger-ui.css', 'favicon-32x32.png', 'swagger-ui-bundle.js', 'start.js']);
  for (const name of names) {
    const { status } = await http.get(`/api/docs/${name}`);
    expect({ name, status }).toEqual({ name, status: 200 });
  }
});

test.each(['index.html', 'package.json', 'swagger-initializer.js', '..%2fpackage.json'])(
  'nothing else of the package is served: %s',
  async (name) => {
    expect((await http.get(`/api/docs/${name}`)).status).toBe(404);
  },
);

test('every origin may read the document', async () => {
  const { status, headers, body } = await http.get('/api/docs/openapi.json');
  expect(status).toBe(200);
  expect(headers['content-type']).toMatch(/^application\/json/);
  expect(headers['access-control-allow-origin']).toBe('*');
  expect(body).toEqual(JSON.parse(JSON.stringify(describeApi(authEndpoints))));
});
