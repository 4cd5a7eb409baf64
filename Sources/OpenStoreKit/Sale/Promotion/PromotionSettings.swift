import Foundation
import Synchronization

/// The device's order and visibility of promoted products, in a file of the connection.
package final class PromotionSettings: Sendable {
    /// The settings as they are stored.
    struct Content: Codable, Equatable {
        var order: [String] = []
        /// Raw values of the visibility by product identifier, without those of the default.
        var visibilities: [String: Int] = [:]

        mutating func setOrder(_ order: [String]) {
            var mentioned: Set<String> = []
            self.order = order.filter { mentioned.insert($0).inserted }
        }
    }

    private static let name = "promotions"
    private let files: any FileStore
    private let products: @Sendable ([String]) async throws -> [String]
    private let state: Mutex<Content>

    init(_ connection: StoreConnection) {
        self.files = connection.files
        self.products = { [weak connection] identifiers in
            try await connection?.saleProducts(for: identifiers).map(\.id) ?? []
        }
        // A damaged file counts as none: the settings are a matter of taste, not of money.
        let stored = try? connection.files.read(Self.name)
        self.state = Mutex((stored.flatMap { try? JSONDecoder().decode(Content.self, from: $0) }) ?? Content())
    }

    /// Returns the settings of the current store.
    static func current() throws -> PromotionSettings {
        guard let connection = CurrentStore.connection else { throw StoreKitError(wrapping: StoreFailure.noStore) }
        return connection.promotions
    }

    /// Products in the order of this device.
    package var order: [String] { state.withLock { $0.order } }

    /// Visibility of a product on this device.
    package func visibility(of productID: String) -> Product.PromotionInfo.Visibility {
        state.withLock { $0.visibilities[productID] }.flatMap(Product.PromotionInfo.Visibility.init)
            ?? .appStoreConnectDefault
    }

    /// The products with an order or a visibility of their own, ordered ones first.
    var promotions: [Product.PromotionInfo] {
        let content = state.withLock { $0 }
        let rest = content.visibilities.keys.filter { !content.order.contains($0) }.sorted()
        return (content.order + rest).map { Product.PromotionInfo(productID: $0, visibility: visibility(of: $0)) }
    }

    /// Stores an order.
    ///
    /// - Throws: ``StoreKitError``.
    package func setOrder(_ order: [String]) throws {
        try change { $0.setOrder(order) }
    }

    /// Stores the visibility of a product.
    ///
    /// - Throws: ``StoreKitError``.
    package func setVisibility(_ visibility: Product.PromotionInfo.Visibility, of productID: String) throws {
        try change { $0.visibilities[productID] = visibility.rawValue }
    }

    /// Changes the settings and stores them before others see them.
    func change(_ body: (inout Content) -> Void) throws {
        do {
            try state.withLock { state in
                var content = state
                body(&content)
                content.visibilities = content.visibilities.filter {
                    $0.value != Product.PromotionInfo.Visibility.appStoreConnectDefault.rawValue
                }
                guard content != state else { return }
                let encoder = JSONEncoder()
                encoder.outputFormatting = .sortedKeys
                try files.write(encoder.encode(content), to: Self.name)
                state = content
            }
        } catch {
            throw StoreKitError(wrapping: error)
        }
    }

    /// Asks the store for products.
    ///
    /// - Throws: ``StoreKitError``, or ``Product/PurchaseError/productUnavailable`` if one of them is not for sale.
    func check(_ productIDs: [String]) async throws {
        guard !productIDs.isEmpty else { return }
        let found = Set(try await products(productIDs))
        guard found.isSuperset(of: productIDs) else { throw Product.PurchaseError.productUnavailable }
    }
}

extension StoreConnection {
    /// Order and visibility of promoted products on this device.
    package var promotions: PromotionSettings { part { PromotionSettings($0) } }
}
