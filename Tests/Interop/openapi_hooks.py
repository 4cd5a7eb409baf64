"""Hooks of schemathesis (SCHEMATHESIS_HOOKS): puts names that the store knows in the place of generated ones.

Generated names lead nowhere: every answer would be 404. So half of the requests name an app, a product, an account or a
transaction that is there. Which half follows from the generated value, so that a run repeats itself.
"""

import json
import os
import zlib

import schemathesis

NAMES = json.loads(os.environ["PERENNIAL_NAMES"])
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


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    return replaced(context, path_parameters)


@schemathesis.hook
def map_query(context, query):
    if context.operation.path.endswith("/control/v1/live"):
        # Otherwise the answer has no end.
        query = {**(query or {}), "follow": "false"}
    return replaced(context, query)


@schemathesis.hook
def map_body(context, body):
    return replaced(context, body)
