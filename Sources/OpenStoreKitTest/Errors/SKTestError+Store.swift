import Foundation
import OpenStoreKit
import Perennial
import PerennialConnect
import PerennialStorage
import PerennialStore

extension SKTestError {
    /// Makes the error of a session from an error of the store.
    init(of error: any Error) {
        switch error {
        case let error as SKTestError: self = error
        case let error as StoreError: self.init(Self.code(of: error.code), "\(error.subject): \(error.reason)")
        case let error as PurchaseRefusal: self.init(Self.code(of: error.code), "\(error.productID): \(error.reason)")
        case let error as SubscriptionError: self.init(.invalidAction, error.reason)
        case let error as RefundError: self.init(.invalidAction, "\(error)")
        case let error as OpenStoreKit.Product.PurchaseError:
            self.init(.invalidAction, "\(error): \(error.failureReason ?? "")")
        case let error as StoreKitError: self.init(.invalidAction, "\(error): \(error.failureReason ?? "")")
        case let error as CatalogError: self.init(.invalidURL, "\(error)")
        default: self.init(.serviceUnavailable, "\(error)")
        }
    }

    private static func code(of code: StoreError.Code) -> Code {
        switch code {
        case .transactionNotFound, .approvalNotFound, .purchaseNotFound: .noTransactionFound
        default: .invalidAction
        }
    }

    private static func code(of code: PurchaseRefusal.Code) -> Code {
        switch code {
        case .productNotAvailable: .invalidProductIdentifier
        default: .invalidAction
        }
    }
}

/// Calls `body` and throws its errors as ``SKTestError``.
func throwingTestErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
        return try await body()
    } catch let error as CancellationError {
        throw error
    } catch {
        throw SKTestError(of: error)
    }
}
