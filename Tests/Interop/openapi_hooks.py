"""Hooks of schemathesis (SCHEMATHESIS_HOOKS): puts names that the store knows in the place of generated ones, and values that fit
together in the place of those that the schema can't relate, so that no operation may refuse what the schema allows.

Generated names lead nowhere: every answer would be 404. So half of the requests name an app, a product, an account or a
transaction that is there. Which half follows from the generated value, so that a run repeats itself.
"""

import json
import os
import zlib

import schemathesis

NAMES = json.loads(os.environ["PERENNIAL_NAMES"])
# Requests that the schema excludes are sent as they are generated, but for names.
IS_NEGATIVE = os.environ["PERENNIAL_GENERATION"] == "negative"
# Never a generated one: the store would send its notifications there.
ALWAYS = {"url"}


def known(field, value, path):
    """A value that the store knows for a field, or the generated one."""
    if not isinstance(value, str):
        return value
    kind = next((kind for kind in NAMES["paths"] if kind in path), None) if field == "id" else None
    names = NAMES["paths"][kind] if kind else NAMES["fields"].get(field)
    if not names:
        return value
    number = zlib.crc32(value.encode("utf-8", "surrogatepass"))
    if field in ALWAYS or number % 2:
        return names[number // 2 % len(names)]
    return value


def replaced(context, values):
    if not isinstance(values, dict):
        return values
    path = context.operation.path
    return {field: known(field, value, path) for field, value in values.items()}


# Values of reports' dates by their frequencies: a day, a Sunday, a month and a year.
DATES = {"daily": "2026-10-03", "weekly": "2026-10-04", "monthly": "2026-10", "yearly": "2026"}


def dated(query):
    """A figure's query whose date has the form of its frequency."""
    if "date" in query:
        # schemathesis shows a hook also what it doesn't send.
        query["date"] = DATES.get(query.get("frequency") or "daily", DATES["daily"])


def forward(body):
    """An advance to a time after the clock's."""
    if "to" in body:
        body["to"] = NAMES["later"]


def subscription(body):
    """An extension of a subscription: other products have none."""
    body["productId"] = NAMES["subscription"]


def converted(body):
    """Exchange rates between two currencies."""
    for rate in body.get("rates", []):
        if rate["from"] == rate["to"]:
            rate["to"] = "EUR" if rate["from"] != "EUR" else "USD"


def owned(body):
    """A key of a user or with roles, not both."""
    if body.get("user") is not None:
        body.pop("roles", None)
    elif not body.get("roles"):
        body["roles"] = ["ADMIN"]


def purchasable(body):
    """A purchase of several at a time only of a product that is sold so, and with one token for the account."""
    if body.get("productId") not in NAMES["consumables"]:
        body.pop("quantity", None)
    if body.get("appAccountToken") is not None:
        body.pop("applicationUsername", None)


# What the schema can't say, by the end of an operation's path: fields that depend on each other or on the store's state.
BODIES = {
    "/control/v1/clock/advance": forward, "/extensions": subscription, "/control/v1/finance/rates": converted,
    "/control/v1/connect-keys": owned, "/v1/purchases": purchasable,
}
QUERIES = {"/control/v1/explain/sales": dated}


def consistent(context, values, rules):
    rule = next((rules[end] for end in rules if context.operation.path.endswith(end)), None)
    if rule and isinstance(values, dict) and not IS_NEGATIVE:
        values = json.loads(json.dumps(values))
        rule(values)
    return values


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    return replaced(context, path_parameters)


@schemathesis.hook
def map_query(context, query):
    if context.operation.path.endswith("/control/v1/live"):
        # Otherwise the answer has no end.
        query = {**(query or {}), "follow": "false"}
    if context.operation.path.endswith("/store/v1/transactions/revoked") and query and "after" in query:
        query = {**query, "after": NAMES["revision"]}
    return consistent(context, replaced(context, query), QUERIES)


@schemathesis.hook
def map_body(context, body):
    return consistent(context, replaced(context, body), BODIES)
