"""``posturas serve``: the same operations over HTTP, for programs in other languages (extra ``posturas[http]``)."""

from __future__ import annotations

import argparse
import gc
import logging
import signal
import socket
import sys
from typing import TYPE_CHECKING, Any

from legalbasis import PosturasError
from procedure.cli.scope import now

if TYPE_CHECKING:
    from fastapi import FastAPI

HOST, PORT = "127.0.0.1", 8080
KEEP_ALIVE_SECONDS = 75  # longer than a proxy keeps its own: the side that closes first loses no request
GRACE_SECONDS = 30
BACKLOG = 2_048


class HttpExtraMissing(PosturasError):
    """Falta o que o servidor HTTP usa."""

    code = "http_ausente"
    default_remedy = "Instale com: pip install 'posturas[http]'"


class AddressInUse(PosturasError):
    """O endereço não pode ser usado."""

    code = "endereco_em_uso"
    default_remedy = "Diga outro em --host e --port, ou pare quem o usa."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``posturas serve``."""
    parser.add_argument("--host", metavar="ENDEREÇO", default=HOST, help="onde ouvir (padrão: %(default)s)")
    parser.add_argument(
        "--port", metavar="PORTA", type=int, default=PORT, help="a porta; 0 escolhe uma livre (padrão: %(default)s)"
    )
    parser.add_argument("--workers", metavar="N", type=int, default=1, help="processos (padrão: %(default)s)")
    parser.add_argument(
        "--rate", metavar="N", type=int, default=500, help="pedidos por segundo de cada chave (padrão: %(default)s)"
    )
    parser.add_argument("--log", choices=("info", "warning"), default="info", help="o que vai ao log (padrão: info)")


def run(args: argparse.Namespace) -> int:
    """Serve until SIGTERM or Ctrl-C, which let the requests that run end."""
    from procedure.store.engine import open_engine
    from procedure.store.schema import require_schema

    for name, least, most in (("port", 0, 65_535), ("workers", 1, 64), ("rate", 1, 1_000_000)):
        if not least <= getattr(args, name) <= most:
            raise _usage(f"--{name} vai de {least} a {most}.")
    _require_extra()
    engine = open_engine(args.db)
    try:
        require_schema(engine)
    finally:
        engine.dispose()
    return _serve(args)


def _usage(message: str) -> Exception:
    from procedure.cli.main import UsageError

    return UsageError(message, remedy="Veja: posturas serve --help")


def _require_extra() -> None:
    try:
        import argon2  # noqa: F401  # only whether it is there
        import fastapi  # noqa: F401  # the same
        import prometheus_client  # noqa: F401  # the same
        import uvicorn  # noqa: F401  # the same
    except ModuleNotFoundError as error:
        raise HttpExtraMissing(f"Falta o pacote {error.name}.") from None


class Factory:
    """Makes the application in each worker: picklable, so that a spawned process can be given it."""

    def __init__(self, url: str, folder: str | None, rate: int, log: str) -> None:
        self.url = url
        self.folder = folder
        self.rate = rate
        self.log = log

    def __call__(self) -> FastAPI:
        """The application over an engine of its own."""
        from procedure.domain.rulebooks import add_rulebooks, added_folders
        from procedure.http.app import create_app
        from procedure.http.settings import Settings
        from procedure.store.engine import open_engine

        _log_to_stderr(self.log)
        if self.folder and not added_folders():
            add_rulebooks(self.folder)
        app = create_app(open_engine(self.url), now, Settings(rate=self.rate, burst=2 * self.rate))
        # What is loaded now stays for good: to go through it at every full collection would hold requests up.
        gc.collect()
        gc.freeze()
        return app


def _serve(args: argparse.Namespace) -> int:
    import uvicorn

    config = uvicorn.Config(
        Factory(args.db, args.rulebooks, args.rate, args.log),
        factory=True,
        http="h11",  # httptools loses the body of a client that offers HTTP/2, as Java's does unless told not to
        host=args.host,
        port=args.port,
        workers=args.workers,
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        lifespan="on",
    )
    with _listen(args.host, args.port) as sock:
        _run(config, sock)
    return 0


def _listen(host: str, port: int) -> socket.socket:
    """A socket that already takes connections, which wait for the application. Raises AddressInUse."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        sock = socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError:
        raise AddressInUse(f"não foi possível ouvir em {host}:{port}.") from None
    sock.set_inheritable(True)
    return sock


def _run(config: Any, sock: socket.socket) -> None:
    import uvicorn
    from uvicorn.supervisors import Multiprocess

    if config.workers > 1:
        _say_where(sock)
        Multiprocess(config, sockets=[sock]).run()
        return
    server = uvicorn.Server(config)

    # Asked to stop before uvicorn listens for it, the server stops too. uvicorn gives the signal that stopped it to
    # whoever handled it before: to stop when asked is no failure.
    def stop(*_: object) -> None:
        server.should_exit = True

    former = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        _say_where(sock)
        server.run(sockets=[sock])
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


def _say_where(sock: socket.socket) -> None:
    host, port = sock.getsockname()[:2]
    sys.stderr.write(f"Ouvindo em http://{f'[{host}]' if ':' in host else host}:{port}\n")
    sys.stderr.flush()


def _log_to_stderr(level: str) -> None:
    logging.basicConfig(
        stream=sys.stderr, level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s %(message)s"
    )
    logging.getLogger("posturas.http").setLevel(level.upper())
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # it warns, twice, of each offer of HTTP/2
