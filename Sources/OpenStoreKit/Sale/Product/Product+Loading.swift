import Foundation

extension Product {
    /// Returns the products of the given identifiers, in the order of their first mention.
    ///
    /// Identifiers that are unknown, not for sale or without a price in the customer's storefront are left out. Without a store all
    /// are.
    ///
    /// - Throws: ``StoreKitError``.
    ///
    /// Source: Apple, StoreKit documentation, "products(for:)".
    public static func products<Identifiers>(for identifiers: Identifiers) async throws -> [Product]
    where Identifiers: Collection, Identifiers.Element == String {
        guard let connection = CurrentStore.connection else { return [] }
        if let error = connection.simulatedErrors.error(for: .loadProducts) { throw error }
        var mentioned: Set<String> = []
        return try await connection.saleProducts(for: identifiers.filter { mentioned.insert($0).inserted })
    }
}

extension StoreConnection {
    /// Returns products in the order of their identifiers, without those that are not for sale.
    ///
    /// - Throws: ``StoreKitError``.
    func saleProducts(for identifiers: [String]) async throws -> [Product] {
        do {
            let answer = try await storeProducts(for: identifiers)
            let origin = Product.Origin(
                taskConnection: CurrentStore.taskConnection, countryCode: store.storefront?.countryCode)
            return try answer.products.map { try Product($0, origin: origin) }
        } catch {
            throw StoreKitError(wrapping: error)
        }
    }

    /// Returns a product.
    ///
    /// - Throws: ``StoreKitError``, or ``Product/PurchaseError/productUnavailable`` if it is not for sale.
    func saleProduct(_ identifier: String) async throws -> Product {
        guard let product = try await saleProducts(for: [identifier]).first else {
            throw Product.PurchaseError.productUnavailable
        }
        return product
    }
}
