"""surquest-utils-appstoreconnect-analyticsreports: the analytics report flow, from the request to the rows."""

import json
import logging

from client import Store
from surquest.utils.appstoreconnect.analyticsreports.client import Client
from surquest.utils.appstoreconnect.analyticsreports.enums.report_name import ReportName
from surquest.utils.appstoreconnect.credentials import Credentials

logging.disable(logging.CRITICAL)

with Store() as store:
    # The one thing that its users can change.
    Client.BASE_URL = f"{store.url}/v1"
    client = Client(Credentials(store.key["issuerId"], store.key["keyId"], store.private_key))
    app = str(store.app["appAppleId"])
    made = client.create_reports_request(app, access_type="ONE_TIME_SNAPSHOT")
    read = {"type": made["data"]["type"]}
    read["dates"] = client.list_report_dates(
        ReportName.APP_STORE_PURCHASES_STANDARD,
        report_ids=[report["id"] for report in client.list_reports(
            app, report_name=ReportName.APP_STORE_PURCHASES_STANDARD, access_type="ONE_TIME_SNAPSHOT")])
    read["purchases"] = client.get_data(
        app, ReportName.APP_STORE_PURCHASES_STANDARD, access_type="ONE_TIME_SNAPSHOT")
    read["downloads"] = len(client.get_data(
        app, ReportName.APP_DOWNLOADS_STANDARD, access_type="ONE_TIME_SNAPSHOT"))
    print(json.dumps(read))
