extension ConnectTables {
    /// Reports, and webhooks, which are refused.
    static let reports = """
        salesReports v1
          GET - 1.3 filter=vendorNumber!,reportType!,reportSubType!,frequency!,reportDate,version

        financeReports v1
          GET - 1.3 filter=vendorNumber!,reportType!,regionCode!,reportDate!

        analyticsReportRequests v1
          accessType AnalyticsAccess post!
          stoppedDueToInactivity boolean
          reports *analyticsReports data links
          app >apps post!
          POST - 3.4
          GET {id} 3.4
          DELETE {id} 3.4
          GET {id}/relationships/reports 4.0
          GET {id}/reports 3.4 filter=name,category

        analyticsReports v1
          name text
          category AnalyticsCategory
          instances *analyticsReportInstances links
          GET {id} 3.4
          GET {id}/instances 3.4 filter=granularity,processingDate
          GET {id}/relationships/instances 4.0

        analyticsReportInstances v1
          granularity AnalyticsGranularity
          processingDate date
          segments *analyticsReportSegments links
          GET {id} 3.4
          GET {id}/relationships/segments 4.0
          GET {id}/segments 3.4

        analyticsReportSegments v1
          checksum text
          sizeInBytes integer
          url text
          GET {id} 3.4

        webhooks v1
          enabled boolean post! patch
          eventTypes [text] post! patch
          name text post! patch
          url text post! patch
          secret text write post! patch
          app >apps data post!
          deliveries *webhookDeliveries links
          POST - 4.0 refuse
          GET {id} 4.0 refuse
          PATCH {id} 4.0 refuse
          DELETE {id} 4.0 refuse
          GET {id}/deliveries 4.0 refuse filter=deliveryState,createdDateGreaterThanOrEqualTo,createdDateLessThan
          GET {id}/relationships/deliveries 4.0 refuse

        webhookDeliveries v1
          createdDate dateTime
          deliveryState WebhookDeliveryState
          errorMessage text
          redelivery boolean
          sentDate dateTime
          request object
          response object
          event >webhookEvents data
          template >webhookDeliveries post!
          POST - 4.0 refuse

        webhookEvents v1
          eventType text
          payload text
          ping boolean
          createdDate dateTime

        webhookPings v1
          webhook >webhooks post!
          POST - 4.0 refuse
        """
}
