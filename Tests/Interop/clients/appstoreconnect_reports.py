"""appstoreconnect: sales, subscriptions, financial reports, apps and errors."""

import json

from appstoreconnect import api

from client import Store, finance, sales, table, totals

with Store() as store:
    # The one thing that its users can change.
    api.BASE_API = store.url
    connect = api.Api(store.key["keyId"], store.key["privateKey"], store.key["issuerId"], submit_stats=False)
    read = {**totals(), "statuses": {}}
    for day in store.days:
        try:
            sales(connect.download_sales_and_trends_reports(
                filters={"vendorNumber": store.vendor, "reportDate": day}), read)
            read["statuses"][day] = "ok"
        except api.APIError as error:
            read["statuses"][day] = [error.status_code, str(error)]
    subscriptions = connect.download_sales_and_trends_reports(
        filters={
            "vendorNumber": store.vendor, "reportType": "SUBSCRIPTION", "version": "1_3",
            "reportDate": store.days[0]})
    read["subscriptions"] = len(table(subscriptions))
    rows, totals_of_file = connect.download_finance_reports(
        filters={"vendorNumber": store.vendor, "reportDate": store.month}, split_response=True)
    finance(rows + "Total_Rows" + totals_of_file, read)
    try:
        # Its default version of subscriptions is older than any that is served.
        connect.download_sales_and_trends_reports(
            filters={"vendorNumber": store.vendor, "reportType": "SUBSCRIPTION", "reportDate": store.days[0]})
    except api.APIError as error:
        read["oldVersion"] = [error.status_code, str(error)]
    apps = connect.list_apps()
    read["apps"] = [len(apps), [app.bundleId for app in apps]]
    print(json.dumps(read))
