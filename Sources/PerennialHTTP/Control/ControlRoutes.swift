import PerennialConnect
import PerennialDelivery
import PerennialStore

/// control/v1: operations of tests and operators on an environment. The group's middleware lets bearers of the control token in.
struct ControlRoutes {
    let realtime: any RealtimeEndpoint
    /// `nil` where keys and secrets can't be made.
    let keys: APIKeys?
    let catalog: CatalogEditor
    /// The visitors of the console.
    let accounts: ConsoleAccounts
    /// The content server of this process; `nil` without one.
    let delivery: Delivery?
    /// Knows the revoked certificates.
    var authority: CertificateAuthority?

    func add(to routes: RouteGroup<ControlContext>) {
        ListRoutes().add(to: routes)
        AccountRoutes().add(to: routes)
        LiveRoutes().add(to: routes)
        PurchaseRoutes().add(to: routes)
        DownloadRoutes().add(to: routes)
        ExplainRoutes().add(to: routes)
        ClockRoutes().add(to: routes)
        SubscriptionRoutes().add(to: routes)
        AskToBuyRoutes().add(to: routes)
        FamilyRoutes().add(to: routes)
        OfferCodeRoutes(editor: catalog).add(to: routes)
        NotificationRoutes().add(to: routes)
        BillingRoutes().add(to: routes)
        ProductRoutes().add(to: routes)
        PriceRoutes().add(to: routes)
        ExtensionRoutes().add(to: routes)
        RefundRoutes().add(to: routes)
        InterruptionRoutes().add(to: routes)
        RollUpRoutes().add(to: routes)
        ReportRoutes().add(to: routes)
        FinanceRoutes().add(to: routes)
        LedgerRoutes().add(to: routes)
        StatisticRoutes().add(to: routes)
        InspectRoutes(authority: authority).add(to: routes)
        if let keys { CredentialRoutes(keys: keys).add(to: routes) }
        CatalogChangeRoutes(editor: catalog).add(to: routes)
        CatalogOverrideRoutes(editor: catalog).add(to: routes)
        if let keys { TeamRoutes(team: keys.team).add(to: routes) }
        ConsoleAccountRoutes(accounts: accounts).add(to: routes)
        TesterRoutes().add(to: routes)
        CatalogProductRoutes(editor: catalog).add(to: routes)
        CatalogPriceRoutes(editor: catalog).add(to: routes)
        CatalogGroupRoutes(editor: catalog).add(to: routes)
        CatalogOfferRoutes(editor: catalog).add(to: routes)
        CatalogPromotionRoutes(editor: catalog).add(to: routes)
        ProductFileRoutes(editor: catalog, delivery: delivery).add(to: routes)
        ReviewRoutes(editor: catalog).add(to: routes)
        RetentionRoutes(realtime: realtime).add(to: routes)
    }
}
