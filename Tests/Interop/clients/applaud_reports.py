"""applaud: sales, subscriptions, financial reports, apps and errors."""

import json

import applaud.endpoints.base
from applaud.connection import Connection
from applaud.endpoints.base import EndpointException
from applaud.endpoints.finance_reports import FinanceReportsEndpoint
from applaud.endpoints.sales_reports import SalesReportsEndpoint

from client import Store, finance, sales, table, totals

with Store() as store:
    # The one thing that its users can change.
    applaud.endpoints.base.ENDPOINT_BASE_URL = store.url
    connection = Connection(store.key["issuerId"], store.key["keyId"], store.private_key)
    read = {**totals(), "statuses": {}}

    def text(endpoint):
        response = endpoint.get()
        return b"".join(response.iter_decompress()).decode(), response.default_gzip_filename

    def sales_report(day, report_type="SALES", **more):
        return connection.sales_reports().filter(
            frequency=SalesReportsEndpoint.Frequency.DAILY, report_date=day,
            report_sub_type=SalesReportsEndpoint.ReportSubType.SUMMARY,
            report_type=SalesReportsEndpoint.ReportType(report_type), vendor_number=store.vendor, **more)

    for day in store.days:
        try:
            content, name = text(sales_report(day))
            read["statuses"][day] = name
            sales(content, read)
        except EndpointException as error:
            read["statuses"][day] = error.errors[0].code
    content, name = text(sales_report(store.days[0], "SUBSCRIPTION", version="1_3"))
    read["subscriptions"] = [name, len(table(content))]
    content, name = text(
        connection.finance_reports().filter(
            region_code="ZZ", report_date=store.month, report_type=FinanceReportsEndpoint.ReportType.FINANCIAL,
            vendor_number=store.vendor))
    read["financeFile"] = name
    finance(content, read)
    read["apps"] = [app.attributes.bundle_id for app in connection.apps().get().data]
    read["app"] = connection.app(str(store.app["appAppleId"])).get().data.attributes.name
    print(json.dumps(read))
