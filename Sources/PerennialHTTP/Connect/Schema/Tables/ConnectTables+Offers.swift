extension ConnectTables {
    /// Offers and offer codes.
    static let offers = """
        subscriptionIntroductoryOffers v1
          startDate date post inline
          endDate date post patch inline
          duration SubscriptionOfferDuration post! inline!
          offerMode SubscriptionOfferMode post! inline!
          numberOfPeriods integer post! inline!
          targetSubscriptionPlanType SubscriptionPlanType post inline
          subscription >subscriptions data post! inline
          territory >territories data post inline
          subscriptionPricePoint >subscriptionPricePoints data post+ inline
          POST - 2.0
          PATCH {id} 2.0
          DELETE {id} 2.0

        subscriptionPromotionalOffers v1
          duration SubscriptionOfferDuration post! inline!
          name text post! inline!
          numberOfPeriods integer post! inline!
          offerCode text post! inline!
          offerMode SubscriptionOfferMode post! inline!
          targetSubscriptionPlanType SubscriptionPlanType post inline
          subscription >subscriptions data post! inline
          prices *subscriptionPromotionalOfferPrices data links post!+ patch+ inline
          POST - 2.0
          GET {id} 2.0
          PATCH {id} 2.0
          DELETE {id} 2.0
          GET {id}/prices 2.0 filter=territory
          GET {id}/relationships/prices 4.0

        subscriptionPromotionalOfferPrices v1
          territory >territories data inline
          subscriptionPricePoint >subscriptionPricePoints data inline

        winBackOffers v1
          referenceName text post!
          offerId text post!
          duration SubscriptionOfferDuration post!
          offerMode SubscriptionOfferMode post!
          periodCount integer post!
          customerEligibilityPaidSubscriptionDurationInMonths integer post! patch
          customerEligibilityTimeSinceLastSubscribedInMonths IntegerRange post! patch
          customerEligibilityWaitBetweenOffersInMonths integer post patch
          startDate date post! patch
          endDate date post patch
          priority WinBackPriority post! patch
          promotionIntent PromotionIntent post patch
          targetSubscriptionPlanType SubscriptionPlanType post
          prices *winBackOfferPrices data links post!+
          subscription >subscriptions post!
          POST - 3.6
          GET {id} 3.6
          PATCH {id} 3.6
          DELETE {id} 3.6
          GET {id}/prices 3.6 filter=territory
          GET {id}/relationships/prices 4.0

        winBackOfferPrices v1
          territory >territories data inline!
          subscriptionPricePoint >subscriptionPricePoints data inline

        subscriptionOfferCodes v1
          name text post!
          customerEligibilities [SubscriptionCustomerEligibility] post!
          offerEligibility SubscriptionOfferEligibility post!
          duration SubscriptionOfferDuration post!
          offerMode SubscriptionOfferMode post!
          numberOfPeriods integer post!
          totalNumberOfCodes integer
          productionCodeCount integer
          sandboxCodeCount integer
          active boolean patch
          autoRenewEnabled boolean post
          targetSubscriptionPlanType SubscriptionPlanType post
          subscription >subscriptions data post!
          oneTimeUseCodes *subscriptionOfferCodeOneTimeUseCodes data links
          customCodes *subscriptionOfferCodeCustomCodes data links
          prices *subscriptionOfferCodePrices data links post!+
          POST - 2.0
          GET {id} 2.0
          PATCH {id} 2.0
          GET {id}/customCodes 2.0
          GET {id}/oneTimeUseCodes 2.0
          GET {id}/prices 2.0 filter=territory
          GET {id}/relationships/customCodes 4.0
          GET {id}/relationships/oneTimeUseCodes 4.0
          GET {id}/relationships/prices 4.0

        subscriptionOfferCodePrices v1
          territory >territories data inline
          subscriptionPricePoint >subscriptionPricePoints data inline

        subscriptionOfferCodeCustomCodes v1
          customCode text post!
          numberOfCodes integer post!
          createdDate dateTime
          expirationDate date post
          active boolean patch
          offerCode >subscriptionOfferCodes data post!
          POST - 2.0
          GET {id} 2.0
          PATCH {id} 2.0

        subscriptionOfferCodeOneTimeUseCodes v1
          numberOfCodes integer post!
          createdDate dateTime
          expirationDate date post!
          active boolean patch
          environment OfferCodeEnvironment post
          offerCode >subscriptionOfferCodes data post!
          values *- links
          POST - 2.0
          GET {id} 2.0
          PATCH {id} 2.0
          GET {id}/values 2.0

        inAppPurchaseOfferCodes v1
          name text post!
          customerEligibilities [SpenderEligibility] post!
          productionCodeCount integer
          sandboxCodeCount integer
          active boolean patch
          oneTimeUseCodes *inAppPurchaseOfferCodeOneTimeUseCodes data links
          customCodes *inAppPurchaseOfferCodeCustomCodes data links
          prices *inAppPurchaseOfferPrices data links post!+
          inAppPurchase >inAppPurchases post!
          POST - 4.2
          GET {id} 4.2
          PATCH {id} 4.2
          GET {id}/customCodes 4.2
          GET {id}/oneTimeUseCodes 4.2
          GET {id}/prices 4.2 filter=territory
          GET {id}/relationships/customCodes 4.2
          GET {id}/relationships/oneTimeUseCodes 4.2
          GET {id}/relationships/prices 4.2

        inAppPurchaseOfferPrices v1
          territory >territories data inline
          pricePoint >inAppPurchasePricePoints data inline

        inAppPurchaseOfferCodeCustomCodes v1
          customCode text post!
          numberOfCodes integer post!
          createdDate dateTime
          expirationDate date post
          active boolean patch
          createdByActor >actors data
          deactivatedByActor >actors data
          offerCode >inAppPurchaseOfferCodes post!
          POST - 4.2
          GET {id} 4.2
          PATCH {id} 4.2

        inAppPurchaseOfferCodeOneTimeUseCodes v1
          numberOfCodes integer post!
          createdDate dateTime
          expirationDate date post!
          active boolean patch
          environment OfferCodeEnvironment post
          values *- links
          createdByActor >actors data
          deactivatedByActor >actors data
          offerCode >inAppPurchaseOfferCodes post!
          POST - 4.2
          GET {id} 4.2
          PATCH {id} 4.2
          GET {id}/values 4.2
        """
}
