extension ConnectTables {
    /// The in-app purchases with their metadata, availability and prices.
    static let inAppPurchases = """
        inAppPurchases v2
          name text post! patch
          productId text post!
          inAppPurchaseType InAppPurchaseType post!
          state InAppPurchaseState
          reviewNote text post patch
          familySharable boolean post patch
          contentHosting boolean
          inAppPurchaseLocalizations *inAppPurchaseLocalizations data links
          pricePoints *inAppPurchasePricePoints data links
          content >inAppPurchaseContents data links
          appStoreReviewScreenshot >inAppPurchaseAppStoreReviewScreenshots data links
          promotedPurchase >promotedPurchases data links
          iapPriceSchedule >inAppPurchasePriceSchedules data links
          inAppPurchaseAvailability >inAppPurchaseAvailabilities data links
          images *inAppPurchaseImages data links
          offerCodes *inAppPurchaseOfferCodes data links
          versions *inAppPurchaseVersions data links
          app >apps post!
          POST - 2.0
          GET {id} 2.0
          PATCH {id} 2.0
          DELETE {id} 2.0
          GET {id}/appStoreReviewScreenshot 2.0
          GET {id}/content 2.0 refuse
          GET {id}/iapPriceSchedule 2.0
          GET {id}/images 3.6 deprecated should
          GET {id}/inAppPurchaseAvailability 2.4
          GET {id}/inAppPurchaseLocalizations 2.0 deprecated
          GET {id}/offerCodes 4.2 filter=territory
          GET {id}/pricePoints 2.0 filter=territory
          GET {id}/promotedPurchase 2.0
          GET {id}/relationships/appStoreReviewScreenshot 4.0
          GET {id}/relationships/content 4.0 refuse
          GET {id}/relationships/iapPriceSchedule 4.0
          GET {id}/relationships/images 4.0 deprecated should
          GET {id}/relationships/inAppPurchaseAvailability 4.0
          GET {id}/relationships/inAppPurchaseLocalizations 4.0 deprecated
          GET {id}/relationships/offerCodes 4.2
          GET {id}/relationships/pricePoints 4.0
          GET {id}/relationships/promotedPurchase 4.0
          GET {id}/relationships/versions 4.4.1
          GET {id}/versions 4.4.1 filter=state

        inAppPurchases.v1 v1
          referenceName text
          productId text
          inAppPurchaseType FirstInAppPurchaseType
          state FirstInAppPurchaseState
          apps *apps data
          GET {id} 1.3 deprecated refuse

        inAppPurchaseLocalizations v1
          name text post! patch
          locale text post!
          description text post patch
          state LocalizationState
          inAppPurchaseV2 >inAppPurchases data post!
          POST - 2.0 deprecated
          GET {id} 2.0 deprecated
          PATCH {id} 2.0 deprecated
          DELETE {id} 2.0 deprecated

        inAppPurchaseLocalizations.v2 v2
          name text post! patch
          locale text post!
          description text post patch
          version >inAppPurchaseVersions data post!
          POST - 4.4.1
          GET {id} 4.4.1
          PATCH {id} 4.4.1
          DELETE {id} 4.4.1

        inAppPurchaseVersions v1
          version integer
          state VersionState
          inAppPurchase >inAppPurchases data post!
          image >inAppPurchaseImages.v2 data links
          images *inAppPurchaseImages.v2 data links
          localizations *inAppPurchaseLocalizations.v2 data links
          POST - 4.4.1
          GET {id} 4.4.1
          GET {id}/image 4.4.1 should
          GET {id}/images 4.4.1 should
          GET {id}/localizations 4.4.1
          GET {id}/relationships/image 4.4.1 should
          GET {id}/relationships/images 4.4.1 should
          GET {id}/relationships/localizations 4.4.1

        inAppPurchaseAvailabilities v1
          availableInNewTerritories boolean post!
          availableTerritories *territories data links post!
          inAppPurchase >inAppPurchases post!
          POST - 2.3
          GET {id} 2.3
          GET {id}/availableTerritories 2.3
          GET {id}/relationships/availableTerritories 4.0

        inAppPurchaseContents v1
          fileName text
          fileSize integer
          url text
          lastModifiedDate dateTime
          inAppPurchaseV2 >inAppPurchases data
          GET {id} 2.0 refuse

        inAppPurchasePricePoints v1
          customerPrice text
          proceeds text
          territory >territories data
          equalizations *inAppPurchasePricePoints links
          GET {id}/equalizations 3.7 filter=territory,inAppPurchaseV2
          GET {id}/relationships/equalizations 4.0

        inAppPurchasePrices v1
          startDate date inline
          endDate date inline
          manual boolean
          inAppPurchasePricePoint >inAppPurchasePricePoints data inline
          territory >territories data
          inAppPurchaseV2 >inAppPurchases inline

        inAppPurchasePriceSchedules v1
          baseTerritory >territories data links post!+
          manualPrices *inAppPurchasePrices data links post!+
          automaticPrices *inAppPurchasePrices data links
          inAppPurchase >inAppPurchases post!
          POST - 2.0
          GET {id} 2.0
          GET {id}/automaticPrices 2.3 filter=territory
          GET {id}/baseTerritory 2.3
          GET {id}/manualPrices 2.0 filter=territory
          GET {id}/relationships/automaticPrices 4.0
          GET {id}/relationships/baseTerritory 4.0
          GET {id}/relationships/manualPrices 4.0

        inAppPurchaseSubmissions v1
          inAppPurchaseV2 >inAppPurchases.v1 data post!
          POST - 2.0 deprecated
        """
}
