"""A small package index on this machine, and source archives to put into it."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import tarfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def source_archive(name: str, version: str, files: Mapping[str, str | bytes]) -> bytes:
    """A `.tar.gz` as an author would publish it, the same bytes every time."""
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb", mtime=0) as packed, tarfile.open(fileobj=packed, mode="w") as tar:
        for path, content in files.items():
            data = content.encode() if isinstance(content, str) else content
            info = tarfile.TarInfo(f"{name}-{version}/{path}")
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@dataclass
class PackageIndex:
    """What the index has, by file name, and what it was asked for; `listed` are digests that it says instead."""

    url: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    listed: dict[str, str | None] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    cut: bool = False
    as_json: bool = False

    def put(self, name: str, version: str, files: Mapping[str, str | bytes]) -> str:
        """Publish a version; its sha256."""
        data = source_archive(name, version, files)
        self.files[f"{name}-{version}.tar.gz"] = data
        return sha256(data)

    def page(self, project: str) -> bytes | None:
        names = [name for name in self.files if name.startswith(f"{project}-")]
        if not names:
            return None
        digests = {name: self.listed.get(name, sha256(self.files[name])) for name in names}
        if self.as_json:
            entries = [
                {
                    "filename": name,
                    "url": f"/files/{name}",
                    "hashes": {"sha256": digests[name]} if digests[name] else {},
                }
                for name in names
            ]
            return json.dumps({"meta": {"api-version": "1.0"}, "name": project, "files": entries}).encode()
        links = (f'<a href="/files/{n}{f"#sha256={d}" if d else ""}">{n}</a>' for n, d in digests.items())
        return f"<!DOCTYPE html><html><body>{''.join(links)}</body></html>".encode()


@contextmanager
def serving(index: PackageIndex) -> Iterator[PackageIndex]:
    """Serve an index on this machine while the block runs; `index.url` is its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            index.asked.append(self.path)
            kind, _, name = self.path.strip("/").partition("/")
            body = index.page(name) if kind == "simple" else index.files.get(name)
            if body is None:
                self.send_error(404)
                return
            json_page = kind == "simple" and index.as_json
            self.send_response(200)
            self.send_header("Content-Type", "application/vnd.pypi.simple.v1+json" if json_page else "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[: len(body) // 2] if index.cut and kind == "files" else body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    index.url = f"http://127.0.0.1:{server.server_port}/simple/"
    try:
        yield index
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
