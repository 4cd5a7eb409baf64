import Hummingbird
import PerennialStore

/// What sellers send and ask beyond transactions and notifications: refunds, consumption, extensions, retention messages,
/// Advanced Commerce.
struct SellerRoutes {
    let api: ServerAPIRoutes
    let realtime: any RealtimeEndpoint

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        RefundHistoryRoutes(api: api).add(to: router)
        ConsumptionRoutes(api: api).add(to: router)
        ExtensionRoutes(api: api).add(to: router)
        RetentionRoutes(api: api, realtime: realtime).add(to: router)
        AdvancedCommerceRoutes(api: api).add(to: router)
    }
}
