"""A network in which Apple's host names lead to a store, for this process only."""

import os
import socket


class Network:
    """Inside, the App Store's host names lead to a store, and TLS clients trust its root. No library is touched: only this
    process's resolver and the variables by which clients find their roots."""

    def __init__(self, tls):
        self.port = tls["port"]
        self.hosts = {name for names in tls["hosts"].values() for name in names}
        self.trust = tls["trust"]

    def __enter__(self):
        self.getaddrinfo = socket.getaddrinfo
        self.environ = dict(os.environ)
        for name in list(os.environ):
            if name.lower() in ("http_proxy", "https_proxy", "all_proxy"):
                del os.environ[name]
        os.environ["REQUESTS_CA_BUNDLE"] = os.environ["SSL_CERT_FILE"] = self.trust

        def resolve(host, port, *arguments, **keywords):
            if host in self.hosts and port == 443:
                return self.getaddrinfo("127.0.0.1", self.port, *arguments, **keywords)
            return self.getaddrinfo(host, port, *arguments, **keywords)

        socket.getaddrinfo = resolve
        return self

    def __exit__(self, *_):
        socket.getaddrinfo = self.getaddrinfo
        os.environ.clear()
        os.environ.update(self.environ)
