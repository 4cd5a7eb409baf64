"""asconnect: apps and users, and a product made, changed, listed and deleted with its HTTP client."""

import json

import deserialize

from asconnect import Client
from asconnect.exceptions import AppStoreConnectError
from asconnect.models import Platform
from asconnect.models.common import BaseAttributes, Links, Relationship, Resource
from client import Store
from tunnel import TunnelNetwork

PRODUCT = "com.example.photomag.as.postcard"


@deserialize.key("identifier", "id")
class InAppPurchase(Resource):
    """A product as the client's own models are written: strict about what must be there."""

    @deserialize.auto_snake()
    class Attributes(BaseAttributes):
        name: str
        product_id: str
        in_app_purchase_type: str
        state: str
        review_note: str | None
        family_sharable: bool

    identifier: str
    attributes: Attributes
    relationships: dict[str, Relationship] | None
    links: Links


def linkage(kind, id):
    return {"data": {"type": kind, "id": id}}


with Store(TunnelNetwork) as store:
    client = Client(
        key_id=store.key["keyId"], key_contents=store.private_key, issuer_id=store.key["issuerId"])
    http = client.http_client
    products = http.generate_url("inAppPurchases").replace("/v1/", "/v2/")

    def listed():
        found = http.get(
            endpoint=f"apps/{store.app_id}/inAppPurchasesV2?limit=2&sort=name", data_type=list[InAppPurchase])
        return [product.attributes.product_id for product in found]

    def refusal(error):
        return [error.status, error.code, error.source]

    app = client.app.get_from_bundle_id(store.app["bundleId"])
    read = {"app": [app.identifier, app.name, app.primary_locale]}
    read["users"] = [
        [user.attributes.username, [role.value for role in user.attributes.roles]]
        for user in client.users.get_users()]
    own = Client(key_id=store.given["individual"]["keyId"], key_contents=store.given["individual"]["privateKey"])
    read["individual"] = [app.bundle_id for app in own.app.get_all()]
    read["before"] = listed()
    made = http.post(
        url=products, data_type=InAppPurchase,
        data={"data": {
            "type": "inAppPurchases",
            "attributes": {"name": "Postcard", "productId": PRODUCT, "inAppPurchaseType": "CONSUMABLE"},
            "relationships": {"app": linkage("apps", app.identifier)}}})
    read["made"] = [made.attributes.state, made.attributes.review_note]
    changed = http.patch(
        url=f"{products}/{made.identifier}", data_type=InAppPurchase,
        data={"data": {
            "type": "inAppPurchases", "id": made.identifier,
            "attributes": {"name": "Picture postcard", "reviewNote": "Printed by hand"}}})
    read["changed"] = [changed.attributes.name, changed.attributes.review_note]
    try:
        http.patch(
            url=f"{products}/{made.identifier}",
            data={"data": {
                "type": "inAppPurchases", "id": made.identifier,
                "attributes": {"inAppPurchaseType": "NON_CONSUMABLE"}}})
    except AppStoreConnectError as error:
        read["otherType"] = refusal(error)
    read["during"] = listed()
    read["deleted"] = http.delete(url=f"{products}/{made.identifier}").status_code
    read["after"] = listed()
    try:
        http.post(
            url=products, data_type=InAppPurchase,
            data={"data": {
                "type": "inAppPurchases",
                "attributes": {"name": "Postcard", "productId": PRODUCT, "inAppPurchaseType": "CONSUMABLE"},
                "relationships": {"app": linkage("apps", app.identifier)}}})
    except AppStoreConnectError as error:
        read["usedAgain"] = refusal(error)
    client.version.submit_for_review(app_id=app.identifier, platform=Platform.IOS)
    try:
        client.version.submit_for_review(app_id=app.identifier, platform=Platform.IOS)
    except AppStoreConnectError as error:
        read["submittedTwice"] = refusal(error)
    print(json.dumps(read))
