extension ConnectTables {
    /// Apps, storefronts, and the price and availability of apps.
    static let apps = """
        apps v1
          accessibilityUrl text patch
          name text
          bundleId text patch
          sku text
          primaryLocale text patch
          isOrEverWasMadeForKids boolean
          subscriptionStatusUrl text patch
          subscriptionStatusUrlVersion SubscriptionStatusUrlVersion patch
          subscriptionStatusUrlForSandbox text patch
          subscriptionStatusUrlVersionForSandbox SubscriptionStatusUrlVersion patch
          contentRightsDeclaration ContentRights patch
          streamlinedPurchasingEnabled boolean patch
          accessibilityDeclarations *- links
          appEncryptionDeclarations *appEncryptionDeclarations data links
          appStoreIcon >buildIcons data
          ciProduct >ciProducts data links
          betaTesters *- links
          betaGroups *betaGroups data links
          appStoreVersions *appStoreVersions data links
          appTags *- links
          preReleaseVersions *preReleaseVersions data links
          betaAppLocalizations *betaAppLocalizations data links
          builds *builds data links
          betaLicenseAgreement >betaLicenseAgreements data links
          betaAppReviewDetail >betaAppReviewDetails data links
          appInfos *appInfos data links
          appClips *appClips data links
          appPricePoints *appPricePoints links
          endUserLicenseAgreement >endUserLicenseAgreements data links
          appPriceSchedule >appPriceSchedules links
          appAvailabilityV2 >appAvailabilities links
          inAppPurchases *inAppPurchases.v1 data links
          subscriptionGroups *subscriptionGroups data links
          gameCenterEnabledVersions *gameCenterEnabledVersions data links
          perfPowerMetrics *- links
          appCustomProductPages *appCustomProductPages data links
          inAppPurchasesV2 *inAppPurchases data links
          promotedPurchases *promotedPurchases data links
          appEvents *appEvents data links
          reviewSubmissions *reviewSubmissions data links
          subscriptionGracePeriod >subscriptionGracePeriods data links
          customerReviews *- links
          customerReviewSummarizations *- links
          gameCenterDetail >gameCenterDetails data links
          appStoreVersionExperimentsV2 *appStoreVersionExperiments data links
          alternativeDistributionKey *- links
          analyticsReportRequests *analyticsReportRequests links
          marketplaceSearchDetail *- links
          buildUploads *- links
          backgroundAssets *- links
          betaFeedbackScreenshotSubmissions *- links
          betaFeedbackCrashSubmissions *- links
          searchKeywords *- links
          webhooks *webhooks links
          androidToIosAppMappingDetails *androidToIosAppMappingDetails data links
          GET - 1.3 filter=name,bundleId,sku,appStoreVersions.appStoreState,appStoreVersions.platform \
            filter=appStoreVersions.appVersionState,reviewSubmissions.state,reviewSubmissions.platform \
            filter=appStoreVersions,id \
            sort=name,bundleId,sku exists=gameCenterEnabledVersions
          GET {id} 1.3
          PATCH {id} 1.3
          GET {id}/analyticsReportRequests 3.4 filter=accessType
          GET {id}/appAvailabilityV2 3.6 should
          GET {id}/appPricePoints 2.3 should filter=territory
          GET {id}/appPriceSchedule 2.3 should
          GET {id}/inAppPurchases 1.3 deprecated refuse filter=inAppPurchaseType,canBeSubmitted sort=referenceName \
            sort=productId,inAppPurchaseType
          GET {id}/inAppPurchasesV2 2.0 filter=productId,name,state,inAppPurchaseType sort=name,inAppPurchaseType
          GET {id}/promotedPurchases 2.0
          GET {id}/relationships/analyticsReportRequests 4.0
          GET {id}/relationships/appAvailabilityV2 4.0 should
          GET {id}/relationships/appPricePoints 4.0 should
          GET {id}/relationships/appPriceSchedule 4.0 should
          GET {id}/relationships/inAppPurchases 4.0 deprecated refuse
          GET {id}/relationships/inAppPurchasesV2 4.0
          GET {id}/relationships/promotedPurchases 2.0
          PATCH {id}/relationships/promotedPurchases 2.0
          GET {id}/relationships/reviewSubmissions 4.0
          GET {id}/relationships/subscriptionGracePeriod 4.0
          GET {id}/relationships/subscriptionGroups 4.0
          GET {id}/relationships/webhooks 4.0 refuse
          GET {id}/reviewSubmissions 1.7 filter=platform,state
          GET {id}/subscriptionGracePeriod 2.0
          GET {id}/subscriptionGroups 2.0 filter=referenceName,subscriptions.state sort=referenceName
          GET {id}/webhooks 4.0 refuse

        territories v1
          currency text
          GET - 1.3

        appAvailabilities v2
          availableInNewTerritories boolean post!
          territoryAvailabilities *territoryAvailabilities data links post!+
          app >apps post!
          POST - 3.0 should
          GET {id} 3.0 should
          GET {id}/relationships/territoryAvailabilities 4.0 should
          GET {id}/territoryAvailabilities 3.0 should

        territoryAvailabilities v1
          available boolean patch inline
          releaseDate date patch inline
          preOrderEnabled boolean patch inline
          preOrderPublishDate date
          contentStatuses [TerritoryContentStatus]
          territory >territories data inline
          PATCH {id} 3.0 should

        appPricePoints v3
          customerPrice text
          proceeds text
          app >apps data
          equalizations *appPricePoints links
          territory >territories data
          GET {id} 2.3 should
          GET {id}/equalizations 2.3 should filter=territory
          GET {id}/relationships/equalizations 4.0 should

        appPrices v1
          manual boolean
          startDate date inline
          endDate date inline
          appPricePoint >appPricePoints data inline
          territory >territories data

        appPriceSchedules v1
          app >apps data post!
          baseTerritory >territories data links post!+
          manualPrices *appPrices data links post!+
          automaticPrices *appPrices data links
          POST - 2.3 should
          GET {id} 2.3 should
          GET {id}/automaticPrices 2.3 should filter=startDate,endDate,territory
          GET {id}/baseTerritory 2.3 should
          GET {id}/manualPrices 2.3 should filter=startDate,endDate,territory
          GET {id}/relationships/automaticPrices 4.0 should
          GET {id}/relationships/baseTerritory 4.0 should
          GET {id}/relationships/manualPrices 4.0 should

        endAppAvailabilityPreOrders v1
          territoryAvailabilities *territoryAvailabilities post!
          POST - 3.0 refuse
        """
}
