"""The way to a store for programs that aren't Python: a proxy that leads the App Store's names to it."""

import os
import shutil
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# Preloaded by Node, which knows no proxies: what is to be asked at these names and port 443 is asked at the store.
NODE = """
const tls = require("node:tls"), connect = tls.connect, names = new Set(%s)
tls.connect = options => connect(
    options.port == 443 && names.has(options.host) ? { ...options, host: "127.0.0.1", port: %d } : options)
"""


class Tunnel:
    """`CONNECT name:443` reaches the store for each of its names, and nothing else is reached."""

    def __init__(self, hosts, port):
        class Handler(BaseHTTPRequestHandler):
            def do_CONNECT(self):
                name, _, asked = self.path.rpartition(":")
                if name not in hosts or asked != "443":
                    return self.send_error(403)
                with socket.create_connection(("127.0.0.1", port)) as store:
                    self.send_response(200)
                    self.end_headers()
                    self.wfile.flush()
                    back = threading.Thread(target=copy, args=(store.makefile("rb", 0), self.wfile), daemon=True)
                    back.start()
                    copy(self.rfile, store.makefile("wb", 0))
                    store.shutdown(socket.SHUT_WR)
                    back.join()
                self.close_connection = True

            def log_message(self, *_):
                pass

        # What stands in a buffer of the handler's would be missed by a reader of the socket.
        Handler.rbufsize = 0
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class TunnelNetwork:
    """Inside, this process and those that it starts reach a store at the App Store's host names through a tunnel, and trust its
    root."""

    def __init__(self, tls):
        self.hosts = {name for names in tls["hosts"].values() for name in names}
        self.port = tls["port"]
        self.trust = tls["trust"]

    def __enter__(self):
        self.tunnel = Tunnel(self.hosts, self.port)
        self.environ = dict(os.environ)
        for name in list(os.environ):
            if name.lower() in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
                del os.environ[name]
        os.environ["HTTPS_PROXY"] = f"http://127.0.0.1:{self.tunnel.port}"
        os.environ["REQUESTS_CA_BUNDLE"] = os.environ["SSL_CERT_FILE"] = self.trust
        return self

    def __exit__(self, *_):
        os.environ.clear()
        os.environ.update(self.environ)
        self.tunnel.close()


def copy(source, destination):
    try:
        shutil.copyfileobj(source, destination)
        destination.flush()
    except OSError:
        pass
