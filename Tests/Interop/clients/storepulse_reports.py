"""storepulse: sales, subscriptions and their events, and the setup of analytics reports."""

import json
from datetime import date

from client import Store, add, totals
from storepulse.core.sources import apple_analytics, apple_sales, apple_subscription_events, apple_subscriptions
from storepulse.core.sources.apple_client import AppleAuthError, AppleClient, AppleError

with Store() as store:
    read = {**totals(), "active": {}, "events": {}, "statuses": {}}

    def client(**changes):
        arguments = {
            "issuer_id": store.key["issuerId"], "key_id": store.key["keyId"], "p8_pem": store.private_key,
            "base_url": store.url, "sleep": lambda _: None}
        return AppleClient(**{**arguments, **changes})

    with client() as apple:
        for day in map(date.fromisoformat, store.days):
            result = apple_sales.fetch_day(apple, store.vendor, day, today=day)
            read["statuses"][day.isoformat()] = result.status
            if result.status != "ok":
                continue
            for row in apple_sales.parse_summary(apple_sales.decode_report(result.content)):
                add(read["units"], row.sku, row.units)
                add(read["proceeds"], row.currency, row.units * row.developer_proceeds)
            result = apple_subscriptions.fetch_day(apple, store.vendor, day, today=day)
            rows = apple_subscriptions.parse_summary(apple_sales.decode_report(result.content))
            read["active"][day.isoformat()] = [
                sum(row.active_subscriptions for row in rows), sum(row.active_trials for row in rows)]
            result = apple_subscription_events.fetch_day(apple, store.vendor, day, today=day)
            if result.status == "ok":
                for row in apple_subscription_events.parse_summary(apple_sales.decode_report(result.content)):
                    add(read["events"], row.event, row.quantity)
        request = apple_analytics.create_report_request(apple, str(store.app["appAppleId"]))
        read["analytics"] = [
            info.id == request for info in apple_analytics.list_report_requests(apple, str(store.app["appAppleId"]))]
        try:
            apple_sales.fetch_day(apple, "80000000", date.fromisoformat(store.days[0]))
        except AppleError as error:
            read["unknownVendor"] = error.status
    with client(issuer_id="57246542-96fe-1a63-e053-0824d011072a") as stranger:
        try:
            apple_sales.fetch_day(stranger, store.vendor, date.fromisoformat(store.days[0]))
        except AppleAuthError as error:
            read["stranger"] = [error.status, error.errors[0].code]
    print(json.dumps(read))
