"""Customers who buy at one node each, and repeat a purchase with its key until it is answered.

What they see tells for each node when it sells, what it answers while it can't, and whether what it acknowledged stays.
"""

import datetime
import http.client
import json
import threading
import time
import uuid
from dataclasses import dataclass

from .nodes import NodeFailed

APP, PRODUCT = "com.example.photomag", "com.example.photomag.film.roll"
PACE_SECONDS, REPEAT_SECONDS = 0.3, 0.2
# A request that has no answer by then hangs. Shorter at a node that can't answer now, so that its recovery is seen at once.
ANSWERED_WITHIN_SECONDS, SHORT_SECONDS = 16, 2


@dataclass
class Request:
    """A purchase as it was asked for and answered; times in seconds of the drill's clock."""

    node: str
    seller: str
    key: str
    begin: float
    end: float
    status: int = 0
    failure: str = ""
    transaction: str = ""
    retry_after: str = ""
    # Seconds from the answer to the date of the sale.
    skew: float = 0.0
    # The first request with the key, whose sale a later one is told; the request itself if there is none.
    asked: float | None = None

    @property
    def since(self):
        return self.begin if self.asked is None else self.asked

    @property
    def is_sold(self):
        return self.status == 200


class Seller(threading.Thread):
    """One customer at one node."""

    def __init__(self, node, number, clock, is_affected, history):
        super().__init__(daemon=True)
        self.node, self.clock, self.is_affected, self.history = node, clock, is_affected, history
        self.account = f"{node.name}-{number}@example.com"
        self.token = None
        self.ends = threading.Event()

    def send(self, node, method, path, body=None, timeout=ANSWERED_WITHIN_SECONDS):
        connection = http.client.HTTPConnection(node.machine.address, 8080, timeout=timeout)
        try:
            headers = {"Content-Type": "application/json"} if body is not None else {}
            if self.token:
                headers["Authorization"] = f"Bearer {self.token}"
            connection.request(method, "/sandbox/store/v1/" + path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            text = answer.read()
            try:
                value = json.loads(text) if text else {}
            except ValueError:
                value = {}
            return answer.status, value, answer.getheader("Retry-After") or ""
        finally:
            connection.close()

    def sign_in(self):
        self.node.ask("POST", "sandbox/control/v1/accounts", {"account": self.account, "storefront": "USA"})
        status, value, _ = self.send(self.node, "POST", "devices", {
            "account": self.account, "deviceId": str(uuid.uuid4()), "bundleId": APP, "deviceFamily": "iPhone"})
        if status != 200:
            raise NodeFailed(f"{self.node.name} refuses the sign-in of {self.account}: {status} {value}")
        self.token = value["token"]

    def buy(self, node, key, timeout, asked=None):
        request = Request(node.name, self.account, key, self.clock(), 0.0, asked=asked)
        try:
            request.status, value, request.retry_after = self.send(
                node, "POST", "purchases", {"productId": PRODUCT, "quantity": 1, "idempotencyKey": key}, timeout)
            if request.status == 200:
                transaction = value["transaction"]
                request.transaction = transaction["transactionId"]
                bought = datetime.datetime.fromisoformat(transaction["purchaseDate"].replace("Z", "+00:00"))
                request.skew = bought.timestamp() - time.time()
            else:
                request.failure = value.get("error", {}).get("code", "")
        except (OSError, http.client.HTTPException) as error:
            request.failure = type(error).__name__
        request.end = self.clock()
        self.history.append(request)
        return request

    def run(self):
        count = 0
        while not self.ends.is_set():
            count += 1
            key = f"{self.account}-{count}"
            asked = self.clock()
            while not self.ends.is_set():
                timeout = SHORT_SECONDS if self.is_affected(self.node) else ANSWERED_WITHIN_SECONDS
                if self.buy(self.node, key, timeout, asked).is_sold:
                    break
                self.ends.wait(REPEAT_SECONDS)
            self.ends.wait(PACE_SECONDS)
