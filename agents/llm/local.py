"""A model server of this machine for a GGUF file: llama.cpp's, through `xllamacpp` (extra `local`).

python -m skillshift_gym.agents.llm.local model.gguf --port 8111
"""

from __future__ import annotations

import argparse
import os
import threading
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from skillshift_gym.errors import UsageError

GGUF = "SKILLSHIFT_GGUF"  # the environment variable that names the file
_HUB = "Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF"


class LocalServer:
    """A server that is up inside a `with` block; it speaks the OpenAI and the Anthropic API.

    Args:
        gguf: The model's file; by default what the environment variable SKILLSHIFT_GGUF names.
        port: Port on 127.0.0.1; 0 for a free one.
        threads: Threads; one per core by default. On a machine that does other work, fewer are faster.
        context: Tokens that a conversation may have.

    Raises:
        UsageError: The package or the file is missing, or the port is taken.
    """

    def __init__(self, gguf: str | Path = "", *, port: int = 0, threads: int = 0, context: int = 8192) -> None:
        self.gguf = _found(str(gguf) or os.environ.get(GGUF, ""))
        self._port = port
        self._threads = threads or os.cpu_count() or 1
        self._context = context
        self._server: Any = None

    def __enter__(self) -> Self:
        try:
            import xllamacpp
        except ImportError:
            raise UsageError("LocalServer needs the package 'xllamacpp': pip install 'skillshift-gym[local]'") from None
        settings = xllamacpp.CommonParams()
        settings.model.path = str(self.gguf)
        settings.hostnames, settings.port = ["127.0.0.1"], self._port
        settings.n_ctx, settings.n_parallel = self._context, 1
        settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = self._threads
        settings.verbosity = -1
        self.version: str = xllamacpp.__version__
        try:
            self._server = xllamacpp.Server(settings)
        except RuntimeError as error:
            raise UsageError(f"{self.gguf}: no server on port {self._port or '(any)'}: {error}") from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._server = None  # it stops with its last reference

    @property
    def address(self) -> str:
        """Address of the server, the `base_url` of the Anthropic API."""
        return str(self._server.listening_address).rstrip("/")

    @property
    def base_url(self) -> str:
        """The `base_url` of the OpenAI API."""
        return f"{self.address}/v1"

    def header(self) -> dict[str, str]:
        """Returns what a recording says of the model: file, SHA-256, runtime and its version."""
        digest = sha256()
        with self.gguf.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
        return {"gguf": self.gguf.name, "sha256": digest.hexdigest(), "runtime": f"xllamacpp {self.version}"}


def _found(gguf: str) -> Path:
    if not gguf:
        raise UsageError(f"expected a GGUF file, or its path in {GGUF}; a small one is {_HUB} on the hub")
    path = Path(gguf)
    if not path.is_file():
        raise UsageError(f"{gguf}: expected a GGUF file, there is no such file")
    return path


def main(arguments: Sequence[str] | None = None) -> None:
    """Serves a GGUF file until it is interrupted."""
    parser = argparse.ArgumentParser(description="serve a GGUF file on 127.0.0.1")
    parser.add_argument("gguf", nargs="?", default="", help=f"the file; by default what {GGUF} names")
    parser.add_argument("--port", type=int, default=8111)
    parser.add_argument("--threads", type=int, default=0, help="one per core by default")
    given = parser.parse_args(arguments)
    with LocalServer(given.gguf, port=given.port, threads=given.threads) as server:
        print(f"base_url={server.base_url} (Anthropic API: {server.address}); stop it with Ctrl-C", flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            return


if __name__ == "__main__":
    main()
