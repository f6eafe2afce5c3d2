"""Object stores on this machine: servers that speak as those of the providers do, over real connections."""

from __future__ import annotations

import base64
import hashlib
import hmac
import logging
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import formatdate
from pathlib import Path
from urllib.request import Request, urlopen

from tests.optional import need

BUCKET = "lakes"
_ACCOUNT = "devstoreaccount1"
_KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
"""What Azurite's own documentation says."""


@contextmanager
def s3_server() -> Iterator[str]:
    """The address of a server with an empty bucket."""
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    url = f"http://{host}:{port}"
    _send(Request(f"{url}/{BUCKET}", method="PUT"))
    yield url
    server.stop()


def s3_environment(server: str) -> dict[str, str]:
    return {
        "AWS_ENDPOINT_URL": server,
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_REGION": "us-east-1",
        "AWS_METADATA_ENDPOINT": "http://127.0.0.1:9",  # nobody is asked beyond this machine
    }


@contextmanager
def asking_for_permission(server: str) -> Iterator[None]:
    """For as long as the block lasts, the server checks who asks, and what they may do."""
    url, plain = f"{server}/moto-api/reset-auth", {"Content-Type": "text/plain"}
    _send(Request(url, data=b"0", method="POST", headers=plain))
    try:
        yield
    finally:
        _send(Request(url, data=b"inf", method="POST", headers=plain))


def key_without_permission(server: str) -> tuple[str, str]:
    """The id and the secret of a key that the server knows and that may do nothing."""
    import boto3

    keys = {"aws_access_key_id": "key", "aws_secret_access_key": "secret", "region_name": "us-east-1"}
    users = boto3.client("iam", endpoint_url=server, **keys)
    users.create_user(UserName="nobody")
    made = users.create_access_key(UserName="nobody")["AccessKey"]
    users.close()
    return made["AccessKeyId"], made["SecretAccessKey"]


@contextmanager
def azure_server(folder: Path, port: int) -> Iterator[dict[str, str]]:
    """The environment for a server with an empty container."""
    program = need("azurite")
    where = ("--blobHost", "127.0.0.1", "--blobPort", str(port), "--location", str(folder))
    quiet = ("--skipApiVersionCheck", "--disableTelemetry")
    with subprocess.Popen([program, *where, *quiet], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        while "successfully listens" not in (line := server.stdout.readline()):
            assert line, "azurite-blob did not start"
        _make_container(f"http://127.0.0.1:{port}/{_ACCOUNT}")
        yield {
            "AZURE_STORAGE_ENDPOINT": f"http://127.0.0.1:{port}/{_ACCOUNT}",
            "AZURE_STORAGE_ACCOUNT_NAME": _ACCOUNT,
            "AZURE_STORAGE_ACCOUNT_KEY": _KEY,
        }
        server.kill()  # it would wait for connections that are kept for the next request


def _make_container(endpoint: str) -> None:
    headers = {"x-ms-date": formatdate(usegmt=True), "x-ms-version": "2021-08-06"}
    named = "".join(f"{name}:{value}\n" for name, value in headers.items())
    signed = f"PUT{12 * chr(10)}{named}/{_ACCOUNT}/{_ACCOUNT}/{BUCKET}\nrestype:container"
    signature = base64.b64encode(hmac.digest(base64.b64decode(_KEY), signed.encode(), hashlib.sha256)).decode()
    headers["Authorization"] = f"SharedKey {_ACCOUNT}:{signature}"
    _send(Request(f"{endpoint}/{BUCKET}?restype=container", method="PUT", headers=headers))


def _send(request: Request) -> None:
    with urlopen(request, timeout=30) as answer:
        assert answer.status in (200, 201)
