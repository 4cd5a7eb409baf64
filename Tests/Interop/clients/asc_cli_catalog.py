"""asc-cli: makes a subscription, has its commands set period, availability, prices and offers, and reads them back."""

import asyncio
import json
import os

import yaml

from asc_cli.api.auth import AuthManager, Credentials
from asc_cli.api.client import APIError, AppStoreConnectClient
from client import Store
from tunnel import TunnelNetwork

PRODUCT = "com.example.photomag.cli.monthly"


def linkage(kind, id):
    return {"data": {"type": kind, "id": id}}


async def catalog(store):
    client = AppStoreConnectClient(AuthManager(Credentials(
        store.key["issuerId"], store.key["keyId"], store.private_key)))
    read = {}

    async def create(kind, attributes, **relationships):
        made = await client.post(
            kind, {"data": {"type": kind, "attributes": attributes, "relationships": relationships}})
        return made["data"]

    try:
        app = await client.get_app(store.app["bundleId"])
        read["app"] = [app["id"], app["attributes"]["name"]]
        read["groupsBefore"] = [
            group["attributes"]["referenceName"] for group in await client.list_subscription_groups(app["id"])]
        group = await create("subscriptionGroups", {"referenceName": "From the shell"}, app=linkage("apps", app["id"]))
        made = await create(
            "subscriptions", {"name": "CLI monthly", "productId": PRODUCT, "groupLevel": 1},
            group=linkage("subscriptionGroups", group["id"]))
        read["subscription"] = made["id"]
        read["created"] = [made["attributes"]["state"], made["attributes"]["subscriptionPeriod"]]
        read["availabilityBefore"] = await client.get_subscription_availability(made["id"])
        try:
            await create(
                "subscriptions", {"name": "Again", "productId": PRODUCT},
                group=linkage("subscriptionGroups", group["id"]))
        except APIError as error:
            refused = json.loads(error.message)["errors"][0]
            read["duplicate"] = [error.status_code, refused["code"], refused["source"]["pointer"]]
        await create(
            "subscriptionLocalizations", {"name": "Shell Monthly", "locale": "en-US", "description": "By the shell"},
            subscription=linkage("subscriptions", made["id"]))

        config = os.path.join(store.folder, "subscriptions.yaml")
        with open(config, "w") as file:
            yaml.safe_dump({
                "app_bundle_id": store.app["bundleId"],
                "subscriptions": [{
                    "product_id": PRODUCT, "period": "1m", "price_usd": 2.99, "territories": "all",
                    "offers": [
                        {"type": "free-trial", "duration": "2w", "territories": ["DEU", "FRA"]},
                        {"type": "pay-as-you-go", "duration": "3m", "price_usd": 1.99, "territories": ["USA"]},
                    ]}]}, file)
        read["bulk"] = store.console("asc", "bulk", "apply", config)
        read["period"] = (await client.get_subscription(made["id"]))["attributes"]["subscriptionPeriod"]
        availability = await client.get_subscription_availability(made["id"])
        read["availability"] = [
            availability["attributes"]["availableInNewTerritories"],
            availability["relationships"]["availableTerritories"]["meta"]["paging"]["total"]]
        read["territories"] = len(await client.list_territories())
        base = await client.find_price_point_by_usd(made["id"], 2.99)
        read["base"] = base["attributes"]["customerPrice"]
        equal = await client.find_equalizing_price_points(made["id"], base["id"])
        read["equal"] = {
            point["relationships"]["territory"]["data"]["id"]: point["attributes"]["customerPrice"] for point in equal}
        read["grid"] = len((await client.list_price_points(made["id"], "DEU"))[0])

        # The command leaves out the territory that the others are equalized with.
        await client.create_subscription_price(made["id"], base["id"])
        read["check"] = store.console("asc", "subscriptions", "check", store.app["bundleId"])
        read["list"] = store.console("asc", "subscriptions", "list", store.app["bundleId"])
        read["prices"] = store.console("asc", "subscriptions", "pricing", "list", made["id"])
        read["unknownPrice"] = store.console(
            "asc", "subscriptions", "pricing", "set", made["id"], "--price", "2.995", "--dry-run")
        offers = await client.list_introductory_offers(made["id"])
        read["offers"] = sorted(
            [offer["attributes"][name] for name in ("offerMode", "duration", "numberOfPeriods")] for offer in offers)
        read["offerList"] = store.console("asc", "subscriptions", "offers", "list", made["id"])
        trial = next(offer for offer in offers if offer["attributes"]["offerMode"] == "FREE_TRIAL")
        read["deleted"] = store.console("asc", "subscriptions", "offers", "delete", trial["id"], "--force")
        read["deletedAgain"] = await client.delete_introductory_offer(trial["id"])
        read["offersAfter"] = len(await client.list_introductory_offers(made["id"]))
        read["apps"] = store.console("asc", "apps", "list")
    finally:
        await client.close()
    return read


with Store(TunnelNetwork) as store:
    print(json.dumps(asyncio.run(catalog(store))))
