/// All resource types of the App Store Connect API that the store serves through the engine.
enum ConnectBindings {
    static let all: [ConnectBinding] = [
        AnalyticsBindings.all,
        ReportBindings.all,
        AppBindings.all,
        TerritoryBindings.all,
        InAppPurchaseBindings.all,
        SubscriptionBindings.all,
        SubscriptionGroupBindings.all,
        LocalizationBindings.all,
        VersionBindings.all,
        AvailabilityBindings.all,
        PricePointBindings.all,
        PriceScheduleBindings.all,
        SubscriptionPriceBindings.all,
        OfferBindings.all,
        OfferCodeBindings.all,
        PromotionBindings.all,
        ReviewBindings.all,
        AssetBindings.all,
        SandboxTesterBindings.all,
        UserBindings.all,
    ].flatMap { $0 }
}
