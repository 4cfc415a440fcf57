#!/bin/sh
# Generate a TypeScript and a Java client from a running server and let each take a case from the auto to the certidão.
#
#     sh clients/run.sh BIN      BIN: the folder of the python that has posturas[http]; make clients gives it
#
# Everything it makes is under build/clients. Exit code 0 only when both clients did all of it.
set -eu
bin=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
work=$PWD/build/clients
missing=
for tool in node npm java javac; do
    command -v "$tool" >/dev/null || missing="$missing $tool"
done
if [ -n "$missing" ]; then
    echo "clients: missing$missing (Node.js 20 or newer, and a JDK 17 or newer)" >&2
    exit 1
fi
rm -rf "$work"
mkdir -p "$work"

posturas() { "$bin/python" -m procedure.cli.main "$@"; }

echo "the server"
export POSTURAS_DB="sqlite:///$work/posturas.db"
posturas db upgrade >/dev/null
law=es-3204708/lei-1522-2005
posturas rulebook unit set --law $law --unit VRSGP --from 2012-09-18 --value 30.00 --act "Decreto de exemplo" >/dev/null
for option in "authority=Maria Prado" "office=Chefe da Dívida Ativa" "act=Portaria 1/2013"; do
    posturas rulebook option set --law $law --option "divida_ativa.${option%%=*}" --value "${option#*=}" \
        --act "Portaria 1/2013" >/dev/null
done
POSTURAS_KEY=$(posturas key create --municipality 3204708 --name "prova dos clientes" \
    --role fiscal,secretario,divida_ativa,sistema,dados_pessoais 2>/dev/null)
export POSTURAS_KEY
"$bin/python" -m procedure.cli.main serve --port 0 2>"$work/server.log" &
server=$!
trap 'kill $server 2>/dev/null || true' EXIT
trap 'exit 130' INT TERM
POSTURAS_URL=
for _ in $(seq 300); do
    POSTURAS_URL=$(sed -n 's/^Ouvindo em //p' "$work/server.log")
    [ -z "$POSTURAS_URL" ] || break
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
done
if [ -z "$POSTURAS_URL" ]; then
    cat "$work/server.log" >&2
    exit 1
fi
export POSTURAS_URL
"$bin/python" - "$work/openapi.json" <<'END'
import os, sys, time, urllib.error, urllib.request

for _ in range(100):
    try:
        urllib.request.urlretrieve(os.environ["POSTURAS_URL"] + "/openapi.json", sys.argv[1])
        break
    except urllib.error.URLError:
        time.sleep(0.1)
else:
    sys.exit("clients: the server does not answer")
END

echo "TypeScript: openapi-typescript, openapi-fetch"
cp -r clients/typescript "$work/typescript"
cp "$work/openapi.json" "$work/typescript/openapi.json"
(
    cd "$work/typescript"
    npm ci --silent
    npm run --silent generate >"$work/typescript.log" 2>&1 || { cat "$work/typescript.log" >&2; exit 1; }
    npm run --silent build
    npm run --silent case -- "$work/cda-typescript.pdf"
)

echo "Java: openapi-generator"
"$bin/python" -m pip --disable-pip-version-check --quiet download --no-deps --only-binary :all: --require-hashes \
    --dest "$work/generator" -r clients/java/requirements.txt >"$work/java.log" 2>&1 ||
    { cat "$work/java.log" >&2; exit 1; }
(cd "$work/generator" && "$bin/python" -m zipfile -e ./*.whl .)
jar=$work/generator/openapi_generator_cli/openapi-generator.jar
java -jar "$jar" generate -g java --library native -i "$work/openapi.json" -o "$work/java" -t clients/java/templates \
    --openapi-normalizer SET_TAGS_FOR_ALL_OPERATIONS=posturas \
    --global-property apis,models,supportingFiles,apiDocs=false,modelDocs=false,apiTests=false,modelTests=false \
    --additional-properties openApiNullable=false,hideGenerationTimestamp=true,annotationLibrary=none \
    --additional-properties documentationProvider=none,invokerPackage=br.posturas \
    --additional-properties apiPackage=br.posturas.api,modelPackage=br.posturas.model \
    >>"$work/java.log" 2>&1 || { tail -n 40 "$work/java.log" >&2; exit 1; }
mkdir "$work/classes"
find "$work/java/src/main" -name '*.java' >"$work/sources"
javac -nowarn -encoding UTF-8 -cp "$jar" -d "$work/classes" "@$work/sources" clients/java/FromAutoToCda.java \
    >>"$work/java.log" 2>&1 || { tail -n 40 "$work/java.log" >&2; exit 1; }
java -Dfile.encoding=UTF-8 -Dstdout.encoding=UTF-8 -cp "$work/classes:$jar" FromAutoToCda "$work/cda-java.pdf"

echo "the record"
posturas verify --deep
posturas key audit
