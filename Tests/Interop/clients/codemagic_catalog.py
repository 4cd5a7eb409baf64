"""codemagic-cli-tools: apps, and review submissions with products of the catalog as items."""

import base64
import hashlib
import json

import requests

from client import Store
from tunnel import TunnelNetwork
from codemagic.apple import AppStoreConnectApiError
from codemagic.apple.app_store_connect import AppStoreConnectApiClient
from codemagic.apple.resources import Platform

PRODUCT = "com.example.photomag.ci.poster"
# A picture of one pixel.
SCREENSHOT = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")


def linkage(kind, id):
    return {"data": {"type": kind, "id": id}}


with Store(TunnelNetwork) as store:
    client = AppStoreConnectApiClient(store.key["keyId"], store.key["issuerId"], store.private_key)
    v1 = client.API_URL
    v2 = v1.removesuffix("v1") + "v2"

    def create(url, kind, attributes, **relationships):
        data = {"type": kind, "relationships": relationships}
        if attributes is not None:
            data["attributes"] = attributes
        return client.session.post(f"{url}/{kind}", json={"data": data}).json()["data"]

    def script(*words):
        """A command's resource, from what it prints as JSON."""
        done = store.console("app-store-connect", *words, "--json", "--disable-jwt-cache", "--silent")
        if done["code"] != 0 or not done["output"].strip():
            return done
        return json.loads(done["output"])

    read = {"apps": [app["attributes"]["bundleId"] for app in script("apps", "list")]}
    read["byName"] = [app.id for app in client.apps.list(client.apps.Filter(bundle_id=store.app["bundleId"]))]
    read["app"] = script("apps", "get", store.app_id)["attributes"]["name"]

    product = create(
        v2, "inAppPurchases", {"name": "Poster", "productId": PRODUCT, "inAppPurchaseType": "NON_CONSUMABLE"},
        app=linkage("apps", store.app_id))
    read["product"] = [product["id"], product["attributes"]["state"]]
    create(
        v1, "inAppPurchaseLocalizations", {"name": "Poster", "locale": "en-US", "description": "For the wall"},
        inAppPurchaseV2=linkage("inAppPurchases", product["id"]))
    (version,) = client.paginate(f"{v2}/inAppPurchases/{product['id']}/versions")
    read["version"] = version["attributes"]

    (point,) = client.paginate(
        f"{v2}/inAppPurchases/{product['id']}/pricePoints", {"filter[territory]": "USA"}, page_size=1, limit=1)
    client.session.post(f"{v1}/inAppPurchasePriceSchedules", json={
        "data": {
            "type": "inAppPurchasePriceSchedules",
            "relationships": {
                "inAppPurchase": linkage("inAppPurchases", product["id"]),
                "baseTerritory": linkage("territories", "USA"),
                "manualPrices": {"data": [{"type": "inAppPurchasePrices", "id": "${now}"}]}}},
        "included": [{
            "type": "inAppPurchasePrices", "id": "${now}", "attributes": {"startDate": None, "endDate": None},
            "relationships": {"inAppPurchasePricePoint": linkage("inAppPurchasePricePoints", point["id"])}}]})
    create(
        v1, "inAppPurchaseAvailabilities", {"availableInNewTerritories": True},
        inAppPurchase=linkage("inAppPurchases", product["id"]),
        availableTerritories={"data": [{"type": "territories", "id": id} for id in ("USA", "DEU")]})
    asset = create(
        v1, "inAppPurchaseAppStoreReviewScreenshots", {"fileName": "poster.png", "fileSize": len(SCREENSHOT)},
        inAppPurchaseV2=linkage("inAppPurchases", product["id"]))
    for part in asset["attributes"]["uploadOperations"]:
        # The address needs no token.
        requests.request(
            part["method"], part["url"], data=SCREENSHOT[part["offset"]:part["offset"] + part["length"]],
            headers={header["name"]: header["value"] for header in part["requestHeaders"]}, timeout=30
        ).raise_for_status()
    committed = client.session.patch(
        f"{v1}/inAppPurchaseAppStoreReviewScreenshots/{asset['id']}", json={"data": {
            "type": "inAppPurchaseAppStoreReviewScreenshots", "id": asset["id"],
            "attributes": {"uploaded": True, "sourceFileChecksum": hashlib.md5(SCREENSHOT).hexdigest()}}}).json()
    read["screenshot"] = committed["data"]["attributes"]["assetDeliveryState"]["state"]
    read["complete"] = client.session.get(
        f"{v2}/inAppPurchases/{product['id']}").json()["data"]["attributes"]["state"]

    submission = script("review-submissions", "create", store.app_id, "--platform", "IOS")
    read["submission"] = [submission["attributes"]["platform"], submission["attributes"]["state"]]
    try:
        client.review_submissions.create(Platform.IOS, store.app_id)
    except AppStoreConnectApiError as error:
        read["second"] = [error.status_code, str(error.error_response), submission["id"]]
    item = create(
        v1, "reviewSubmissionItems", None,
        reviewSubmission=linkage("reviewSubmissions", submission["id"]),
        inAppPurchaseVersion=linkage("inAppPurchaseVersions", version["id"]))
    read["items"] = [item["attributes"]["state"] for item in script("review-submissions", "items", submission["id"])]
    read["strangeItem"] = store.console(
        "app-store-connect", "review-submission-items", "create", submission["id"], "--version-id", version["id"])
    read["deleted"] = store.console("app-store-connect", "review-submission-items", "delete", item["id"])["code"]
    read["itemsAfter"] = client.paginate(f"{v1}/reviewSubmissions/{submission['id']}/items")
    read["state"] = script("review-submissions", "get", submission["id"])["attributes"]["state"]
    read["open"] = [
        found["id"] == submission["id"] for found in script(
            "apps", "list-review-submissions", store.app_id, "--platform", "IOS", "--review-submission-state",
            "READY_FOR_REVIEW", "WAITING_FOR_REVIEW")]
    read["canceled"] = script("review-submissions", "cancel", submission["id"])
    client.session.delete(f"{v2}/inAppPurchases/{product['id']}")
    try:
        client.session.get(f"{v2}/inAppPurchases/{product['id']}")
    except AppStoreConnectApiError as error:
        read["gone"] = [error.status_code, error.error_response.errors[0].code]
    print(json.dumps(read))
