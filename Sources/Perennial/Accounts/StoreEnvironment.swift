/// A store with its own clock, accounts and purchases.
package struct StoreEnvironment: Hashable, Sendable {
    package struct ID: RawRepresentable, Hashable, Sendable {
        package let rawValue: Int64

        package init(rawValue: Int64) {
            self.rawValue = rawValue
        }

        package static let production = ID(rawValue: 1)
        package static let sandbox = ID(rawValue: 2)

        /// True for Production and Sandbox, which every store has.
        package var isPermanent: Bool { self == .production || self == .sandbox }
    }

    /// The App Store environment that it represents; the raw value is its name in receipts and signed data.
    package enum Kind: String, Sendable, CaseIterable {
        case production = "Production"
        case sandbox = "Sandbox"
        /// The store of a test session, as Xcode's (`SKTestSession`).
        case xcode = "Xcode"

        /// True unless real money would be charged: products need no approval, accounts no password, and time may be
        /// compressed.
        package var isForTests: Bool { self != .production }

        /// The app receipt's `receipt_type` (attribute 0).
        package var receiptType: String {
            switch self {
            case .production: "Production"
            case .sandbox: "ProductionSandbox"
            case .xcode: "Xcode"
            }
        }
    }

    package enum Clock: String, Sendable, CaseIterable {
        /// Follows the wall clock.
        case real
        /// Stands still until it is advanced.
        case manual
    }

    package var id: ID
    package var name: String
    package var kind: Kind
    package var clock: Clock

    package init(id: ID, name: String, kind: Kind, clock: Clock) {
        self.id = id
        self.name = name
        self.kind = kind
        self.clock = clock
    }

    package static let production = StoreEnvironment(
        id: .production, name: "Production", kind: .production, clock: .real)
    package static let sandbox = StoreEnvironment(id: .sandbox, name: "Sandbox", kind: .sandbox, clock: .real)

    /// Returns true if the environment sells a product in a storefront: Production only one that is approved, and all only
    /// one that is cleared for sale and available there. A product without a price is sold for 0 in tests.
    package func sells(_ product: Product, in storefront: Storefront) -> Bool {
        guard product.isClearedForSale, product.isAvailable(in: storefront), product.subscription?.hasPeriod != false,
            product.isPriced || isForTests
        else { return false }
        return kind.isForTests || product.state == .approved
    }

    /// True for Sandbox and test sessions, and for environments with a manual clock.
    package var isForTests: Bool { kind.isForTests || clock == .manual }
}
