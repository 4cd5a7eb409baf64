"""appstore-ppp-prices: regional prices of an in-app purchase and of a subscription, set by its console script and read back."""

import json
from pathlib import Path

from appstore_ppp_prices.appstore import AppStoreConnectClient
from appstore_ppp_prices.countries import load_countries
from client import Store
from tunnel import TunnelNetwork

FILM = "com.example.photomag.film.roll"
WEEKLY = "com.example.photomag.magazine.weekly"
# Besides the United States. All 175 take a store that is built for debugging too long.
TERRITORIES = ["CHE", "DEU", "FRA", "GBR", "IND", "JPN", "LUX"]
EXCLUDED = ",".join(country.code for country in load_countries() if country.code not in TERRITORIES)


def manual_prices(client, id):
    """The manual prices in force by territory, as the client finds them."""
    rows, points = client._get_all_pages(
        f"/v1/inAppPurchasePriceSchedules/{id}/manualPrices",
        params={"include": "inAppPurchasePricePoint", "limit": "200"})
    prices = {point["id"]: point["attributes"]["customerPrice"] for point in points}
    read = {}
    for row in rows:
        point = row["relationships"]["inAppPurchasePricePoint"]["data"]["id"]
        if row["attributes"]["startDate"] is None:
            read[client._extract_territory(point)] = prices[point]
    return read


def subscription_prices(client, id):
    """The prices of a subscription: those in force and those that will be, by territory."""
    rows, points = client._get_all_pages(
        f"/v1/subscriptions/{id}/prices", params={"include": "subscriptionPricePoint,territory", "limit": "200"})
    prices = {
        point["id"]: point["attributes"]["customerPrice"] for point in points
        if point["type"] == "subscriptionPricePoints"}
    read = {"now": {}, "later": {}, "starts": []}
    for row in rows:
        place = "now" if row["attributes"]["startDate"] is None else "later"
        territory = row["relationships"]["territory"]["data"]["id"]
        read[place].setdefault(
            territory, prices.get(row["relationships"]["subscriptionPricePoint"]["data"]["id"]))
        if place == "later":
            read["starts"].append(row["attributes"]["startDate"])
    read["starts"] = sorted(set(read["starts"]))
    return read


with Store(TunnelNetwork) as store, AppStoreConnectClient(
    store.key["keyId"], store.key["issuerId"], Path(store.key["privateKey"])
) as client:

    def script(*words):
        return store.console(
            "ppp-pricing", "--app-id", store.app_id, "--config", store.folder, "--exclude", EXCLUDED, *words)

    products = {product.product_id: product for product in client.fetch_all_products(store.app_id)}
    read = {
        "territories": len(TERRITORIES) + 1,
        "products": {id: product.product_type for id, product in products.items()},
        "list": script(),
        "unknown": script("--iap", "com.example.photomag.none", "--no-ai"),
        "filmBefore": client.fetch_us_price(products[FILM]),
        "weeklyBefore": client.fetch_us_price(products[WEEKLY]),
        "currencies": len(client.fetch_currencies()),
        "dryRun": script("--iap", FILM, "--no-ai", "--dry-run"),
    }
    read["filmAfterDryRun"] = manual_prices(client, products[FILM].id)
    read["film"] = script("--iap", FILM, "--no-ai", "--us-price", "1.99")
    read["filmAfter"] = client.fetch_us_price(products[FILM])
    read["filmPrices"] = manual_prices(client, products[FILM].id)
    before = subscription_prices(client, products[WEEKLY].id)
    read["weekly"] = script("--iap", WEEKLY, "--no-ai", "--us-price", "1.99")
    first = subscription_prices(client, products[WEEKLY].id)
    read["scheduled"] = [len(before["later"]), len(first["later"]), len(first["starts"])]
    # The script takes back what hasn't started before it schedules again.
    read["weeklyAgain"] = script("--iap", WEEKLY, "--no-ai", "--us-price", "0.99", "--preserved")
    read["weeklyPrices"] = subscription_prices(client, products[WEEKLY].id)
    read["weeklyAfter"] = client.fetch_us_price(products[WEEKLY])
    print(json.dumps(read))
