#!/bin/sh
# Publishes pages from the archive that was published last: sh publish-pages.sh restore|mirror|publish
# A failed step ends with another exit code than 0, and leaves what is published as it is.
set -eu
store=${METRICS_STORE:-metrics.db}
: "${METRICS_URL:?is the address of the pages, such as https://example.github.io/metrics}"
program=${METRICS_PROGRAM:-npx --yes plugin-metrics}

case "${1-}" in
  restore)
    # A lost archive must not begin a new history, so only the first run may go on without one, where there is none.
    if status=$(curl --silent --show-error --fail --location --retry 3 --write-out '%{http_code}' --output archive.ndjson.gz "$METRICS_URL/archive.ndjson.gz"); then
      $program restore --store "$store" archive.ndjson.gz
    elif [ "$status" != 404 ]; then
      echo "the archive at $METRICS_URL cannot be had" >&2
      exit 1
    elif [ "${METRICS_FIRST-}" != true ]; then
      echo "there is no archive at $METRICS_URL: set METRICS_FIRST to true if nothing was published before" >&2
      exit 1
    fi
    ;;
  mirror)
    : "${METRICS_SOURCE:?is the server to mirror}" "${METRICS_PLUGINS:?is a list of ids, separated by commas}"
    case "$(printf %s "$METRICS_SOURCE" | tr "[:upper:]" "[:lower:]")" in
      *bstats.org*)
        if [ "${METRICS_CONSENT-}" != given ]; then
          echo 'the terms of bstats.org forbid to publish its data without written consent; set METRICS_CONSENT to given if you have it' >&2
          exit 1
        fi
        ;;
    esac
    $program mirror "$METRICS_SOURCE" --store "$store" --plugin "$METRICS_PLUGINS"
    ;;
  remove)
    # Words such as "chart 1337/os".
    # shellcheck disable=SC2086
    $program remove ${METRICS_REMOVE:?is what to remove} --store "$store"
    ;;
  publish)
    $program publish "${METRICS_DIR:-public}" --store "$store" --all --public-url "$METRICS_URL"
    ;;
  *)
    echo 'usage: publish-pages.sh restore|mirror|remove|publish' >&2
    exit 2
    ;;
esac
