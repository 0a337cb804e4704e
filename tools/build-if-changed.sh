#!/bin/sh
# Before `npm start`: builds what is missing or out of date (build.ts). Where sizes and times of all files are those of the
# last time, Node is not even started for it (D-641). A `find` that cannot print them, as on macOS, prints nothing: then Node looks.
noted=node_modules/.cache/steward-built
files=$(find web records markup server demo tools package-lock.json -path web/dist -prune -o -type f -printf '%p %s %T@ %C@\n' 2>/dev/null | cksum)
case $files in *" 0") files=unknown ;; esac
if [ "$files" != unknown ] && [ -f web/dist/built-from ] && [ -f node_modules/.cache/steward-server/built-from ] &&
  [ "$files" = "$(cat "$noted" 2>/dev/null)" ]; then
  exit 0
fi
node tools/build.ts || exit 1
echo "$files" 2>/dev/null >"$noted" || true
