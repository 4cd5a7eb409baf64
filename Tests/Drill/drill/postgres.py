"""A client for PostgreSQL's protocol, version 3: simple queries of users that need no password. Text in, text out."""

import socket
import struct


class DatabaseError(Exception):
    """The server refused a statement; `code` is its SQLSTATE."""

    def __init__(self, code, message):
        super().__init__(f"{code} {message}")
        self.code = code


class Connection:
    """A session with a time limit for each answer, in seconds."""

    def __init__(self, address, port=5432, user="postgres", database="postgres", timeout=5.0):
        self.socket = socket.create_connection((address, port), timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            names = b"".join(part.encode() + b"\0" for part in
                             ("user", user, "database", database, "application_name", "drill"))
            self.socket.sendall(struct.pack("!ii", 9 + len(names), 196608) + names + b"\0")
            self.collect()
        except BaseException:
            self.close()
            raise

    def read(self, count):
        data = b""
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                raise ConnectionError("the server closed the connection")
            data += part
        return data

    def collect(self):
        """Reads up to ReadyForQuery and returns the rows, each a list of texts and None."""
        rows, failure = [], None
        while True:
            kind, length = struct.unpack("!ci", self.read(5))
            body = self.read(length - 4)
            if kind == b"Z":
                if failure:
                    raise failure
                return rows
            if kind == b"R" and struct.unpack("!i", body[:4])[0] != 0:
                raise DatabaseError("28000", "a password is asked for")
            if kind == b"D":
                rows.append(self.row(body))
            if kind == b"E":
                fields = {chr(part[0]): part[1:].decode(errors="replace") for part in body.split(b"\0") if part}
                failure = DatabaseError(fields.get("C", ""), fields.get("M", ""))
                if fields.get("S") == "FATAL":
                    raise failure

    @staticmethod
    def row(body):
        count, position, row = struct.unpack("!h", body[:2])[0], 2, []
        for _ in range(count):
            length = struct.unpack("!i", body[position:position + 4])[0]
            position += 4
            row.append(None if length < 0 else body[position:position + length].decode())
            position += max(0, length)
        return row

    def query(self, text):
        data = text.encode() + b"\0"
        self.socket.sendall(b"Q" + struct.pack("!i", len(data) + 4) + data)
        return self.collect()

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def query(address, text, port=5432, user="postgres", database="postgres", timeout=5.0):
    """Opens a session for one statement."""
    with Connection(address, port, user, database, timeout) as connection:
        return connection.query(text)
