import Foundation

extension StoreConnection {
    /// Fetches the app receipt, stores it and returns it.
    ///
    /// - Throws: ``SKError``, with the stored receipt kept.
    @discardableResult
    public func refreshReceipt() async throws -> Data {
        do {
            return try await receipts.refresh()
        } catch {
            throw SKError(wrapping: error)
        }
    }

    /// Returns a transaction's receipt in the old form, from the device or the store.
    ///
    /// - Throws: ``SKError``; `clientInvalid` for a transaction that was not purchased.
    public func receipt(for transaction: SKPaymentTransaction) async throws -> Data {
        if let receipt = transaction.transactionReceipt { return receipt }
        guard let id = transaction.restoredIdentifier ?? transaction.transactionIdentifier else {
            throw StoreFailure(.clientInvalid, message: "the transaction was not purchased").skError
        }
        do {
            return try await store.transactionReceipt(id)
        } catch {
            throw SKError(wrapping: error)
        }
    }
}

#if !canImport(Darwin)
    extension Bundle {
        /// URL of the app receipt, in the main bundle; `nil` without a store. The first purchase, restore or refresh makes the file.
        ///
        /// Foundation has a property of the same name, which is always `nil`. A file that imports Foundation itself gets that one:
        /// without the attribute it wouldn't compile.
        ///
        /// Source: Apple, StoreKit documentation, "appStoreReceiptURL".
        @_disfavoredOverload
        public var appStoreReceiptURL: URL? {
            self === Bundle.main ? CurrentStore.connection?.appStoreReceiptURL : nil
        }
    }
#endif
