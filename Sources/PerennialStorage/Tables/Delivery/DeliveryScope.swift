import Perennial

/// Where a receipt comes from: every key of what Delivery grants and records begins with it.
package struct DeliveryScope: Hashable, Sendable {
    package var environment: StoreEnvironment.Kind
    package var bundleID: App.BundleID

    package init(environment: StoreEnvironment.Kind, bundleID: App.BundleID) {
        self.environment = environment
        self.bundleID = bundleID
    }

    var values: [SQLValue] { [.text(environment.rawValue), .text(bundleID.rawValue)] }
}
