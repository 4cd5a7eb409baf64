/// A store with its own clock, accounts and purchases.
package struct StoreEnvironment: Hashable, Sendable {
    package struct ID: RawRepresentable, Hashable, Sendable {
        package let rawValue: Int64

        package init(rawValue: Int64) {
            self.rawValue = rawValue
        }

        package static let production = ID(rawValue: 1)
        package static let sandbox = ID(rawValue: 2)

        /// Whether it is in every store.
        package var isPermanent: Bool { self == .production || self == .sandbox }
    }

    /// Which of the App Store's two sides it stands for; the name is what receipts and signed data carry.
    package enum Kind: String, Sendable, CaseIterable {
        case production = "Production"
        case sandbox = "Sandbox"

        /// What an app receipt says of where it comes from (attribute 0, `receipt_type`).
        package var receiptType: String {
            switch self {
            case .production: "Production"
            case .sandbox: "ProductionSandbox"
            }
        }
    }

    package enum Clock: String, Sendable, CaseIterable {
        /// Runs with the world's.
        case real
        /// Stands still until it is moved.
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

    /// Whether the environment sells a product: production only what is approved, and both only what is cleared for sale.
    package func sells(_ product: Product) -> Bool {
        guard product.isClearedForSale else { return false }
        return kind == .sandbox || product.state == .approved
    }
}
