# The image of plugin-metrics: docs/operating.md says how to run it.

# What the program needs at run time, as the lock names it. No package runs a script on installation.
FROM node:26-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts

FROM node:26-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build

FROM node:26-slim
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json openapi.json LICENSE ./
COPY fonts fonts
COPY sample/sample.ndjson.gz sample/
RUN ln --symbolic /app/dist/main.js /usr/local/bin/plugin-metrics \
  && chmod +x dist/main.js \
  && install --directory --owner=node --group=node /data
ENV NODE_ENV=production \
  XDG_CACHE_HOME=/tmp \
  NODE_COMPILE_CACHE=/tmp/compiled \
  NODE_OPTIONS="--v8-pool-size=1 --max-semi-space-size=8" \
  MALLOC_ARENA_MAX=2 \
  MALLOC_MMAP_THRESHOLD_=524288 \
  PLUGIN_METRICS_STORE=sqlite:/data/metrics.db \
  PLUGIN_METRICS_HOST=0.0.0.0 \
  PLUGIN_METRICS_ADMIN_PORT=9090
# The user of the official image: 1000, without root.
USER node
VOLUME /data
# 8080 is for `serve`, 8090 for `collect`. The admin listener is for the health check. For a collector on the same network set PLUGIN_METRICS_ADMIN_HOST=0.0.0.0; do not
# publish its port.
EXPOSE 8080 8090
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PLUGIN_METRICS_ADMIN_PORT}/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["plugin-metrics"]
CMD ["serve"]
