extension ConnectTables {
    /// Subscriptions with their metadata, availability and prices.
    static let subscriptions = """
        subscriptions v1
          name text post! patch
          productId text post!
          familySharable boolean post patch
          state SubscriptionState
          subscriptionPeriod SubscriptionPeriod post patch
          reviewNote text post patch
          groupLevel integer post patch
          subscriptionLocalizations *subscriptionLocalizations data links
          appStoreReviewScreenshot >subscriptionAppStoreReviewScreenshots data links
          group >subscriptionGroups data post!
          introductoryOffers *subscriptionIntroductoryOffers data links patch+
          promotionalOffers *subscriptionPromotionalOffers data links patch+
          offerCodes *subscriptionOfferCodes data links
          prices *subscriptionPrices data links patch+
          pricePoints *subscriptionPricePoints links
          promotedPurchase >promotedPurchases data links
          subscriptionAvailability >subscriptionAvailabilities data links
          winBackOffers *winBackOffers data links
          images *subscriptionImages data links
          planAvailabilities *subscriptionPlanAvailabilities data links
          versions *subscriptionVersions data links
          POST - 2.0
          GET {id} 2.0
          PATCH {id} 2.0
          DELETE {id} 2.0
          GET {id}/appStoreReviewScreenshot 2.0
          GET {id}/images 3.6 deprecated should
          GET {id}/introductoryOffers 2.0 filter=territory
          GET {id}/offerCodes 2.0 filter=territory
          GET {id}/planAvailabilities 4.4
          GET {id}/pricePoints 2.0 filter=territory,upfrontPricePointId,planType
          GET {id}/prices 2.0 filter=planType,subscriptionPricePoint,territory
          GET {id}/promotedPurchase 2.0
          GET {id}/promotionalOffers 2.0 filter=territory
          GET {id}/relationships/appStoreReviewScreenshot 4.0
          GET {id}/relationships/images 4.0 deprecated should
          GET {id}/relationships/introductoryOffers 2.0
          DELETE {id}/relationships/introductoryOffers 2.0
          GET {id}/relationships/offerCodes 4.0
          GET {id}/relationships/planAvailabilities 4.4
          GET {id}/relationships/pricePoints 4.0
          GET {id}/relationships/prices 2.0
          DELETE {id}/relationships/prices 2.0
          GET {id}/relationships/promotedPurchase 4.0
          GET {id}/relationships/promotionalOffers 4.0
          GET {id}/relationships/subscriptionAvailability 4.0 deprecated
          GET {id}/relationships/subscriptionLocalizations 4.0 deprecated
          GET {id}/relationships/versions 4.4.1
          GET {id}/relationships/winBackOffers 4.0
          GET {id}/subscriptionAvailability 2.4 deprecated
          GET {id}/subscriptionLocalizations 2.0 deprecated
          GET {id}/versions 4.4.1 filter=state
          GET {id}/winBackOffers 3.6

        subscriptionLocalizations v1
          name text post! patch
          locale text post!
          description text post patch
          state LocalizationState
          subscription >subscriptions data post!
          POST - 2.0 deprecated
          GET {id} 2.0 deprecated
          PATCH {id} 2.0 deprecated
          DELETE {id} 2.0 deprecated

        subscriptionLocalizations.v2 v2
          name text post! patch
          locale text post!
          description text post patch
          version >subscriptionVersions data post!
          POST - 4.4.1
          GET {id} 4.4.1
          PATCH {id} 4.4.1
          DELETE {id} 4.4.1

        subscriptionVersions v1
          version integer
          state VersionState
          subscription >subscriptions data post!
          image >subscriptionImages.v2 data links
          images *subscriptionImages.v2 data links
          localizations *subscriptionLocalizations.v2 data links
          POST - 4.4.1
          GET {id} 4.4.1
          GET {id}/image 4.4.1 should
          GET {id}/images 4.4.1 should
          GET {id}/localizations 4.4.1
          GET {id}/relationships/image 4.4.1 should
          GET {id}/relationships/images 4.4.1 should
          GET {id}/relationships/localizations 4.4.1

        subscriptionAvailabilities v1
          availableInNewTerritories boolean post!
          availableTerritories *territories data links post!
          subscription >subscriptions post!
          POST - 2.3 deprecated
          GET {id} 2.3 deprecated
          GET {id}/availableTerritories 2.3 deprecated
          GET {id}/relationships/availableTerritories 4.0 deprecated

        subscriptionPlanAvailabilities v1
          availableInNewTerritories boolean post patch
          planType SubscriptionPlanType post!
          availableTerritories *territories data links post! patch
          subscription >subscriptions post!
          POST - 4.4
          GET {id} 4.4
          PATCH {id} 4.4
          GET {id}/availableTerritories 4.4
          GET {id}/relationships/availableTerritories 4.4
          PATCH {id}/relationships/availableTerritories 4.4

        subscriptionGracePeriods v1
          optIn boolean patch
          sandboxOptIn boolean patch
          duration SubscriptionGracePeriodDuration patch
          renewalType GraceRenewalType patch
          GET {id} 2.0
          PATCH {id} 2.0

        subscriptionPricePoints v1
          customerPrice text
          proceeds text
          proceedsYear2 text
          territory >territories data
          equalizations *subscriptionPricePoints links
          adjustedEqualizations *subscriptionPricePoints links
          GET {id} 2.0
          GET {id}/adjustedEqualizations 4.4.1 should filter=territory,subscription,upfrontPricePointId,planType
          GET {id}/equalizations 2.0 filter=territory,subscription,upfrontPricePointId,planType
          GET {id}/relationships/equalizations 4.0

        subscriptionPrices v1
          startDate date post inline
          preserved boolean
          planType SubscriptionPlanType post inline
          preserveCurrentPrice boolean write post inline
          territory >territories data post inline
          subscriptionPricePoint >subscriptionPricePoints data post! inline
          subscription >subscriptions post! inline
          POST - 2.0
          DELETE {id} 2.0

        subscriptionSubmissions v1
          subscription >subscriptions data post!
          POST - 2.0 deprecated
        """
}
