import BaseEncoding
import Foundation
import HTTPTypes
import Synchronization

extension AppTransaction {
    /// The customer's app transaction: the stored one, or else the store's. After an update of the app that of the new version, as soon as
    /// the store can be reached.
    ///
    /// - Throws: ``StoreKitError``.
    ///
    /// Source: Apple, StoreKit documentation, "shared".
    public static var shared: VerificationResult<AppTransaction> {
        get async throws { try await load { try await $0.shared(of: $1) } }
    }

    /// Fetches the app transaction from the store.
    ///
    /// - Throws: ``StoreKitError``.
    ///
    /// Source: Apple, StoreKit documentation, "refresh()".
    public static func refresh() async throws -> VerificationResult<AppTransaction> {
        try await load { try await $0.refresh(of: $1) }
    }

    private static func load(
        _ body: (AppTransactionFile, StoreConnection) async throws -> AppTransaction
    ) async throws -> VerificationResult<AppTransaction> {
        guard let connection = CurrentStore.connection else { throw StoreKitError(wrapping: StoreFailure.noStore) }
        if let error = connection.simulatedErrors.error(for: .appTransaction) { throw error }
        do {
            let transaction = try await body(connection.appTransactionFile, connection)
            return await connection.verify(transaction, jws: transaction.jws)
        } catch {
            throw StoreKitError(wrapping: error)
        }
    }

    /// The app transactions of the customer: the one of this app, or none if it can't be had.
    public static var all: AppTransactions { AppTransactions() }

    /// The app transactions of a customer.
    public struct AppTransactions: AsyncSequence, Sendable {
        public typealias Element = VerificationResult<AppTransaction>

        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }

        public struct AsyncIterator: AsyncIteratorProtocol {
            public typealias Element = VerificationResult<AppTransaction>

            private var isAtStart = true

            /// Returns the app transaction at the first call, then `nil`.
            public mutating func next() async -> VerificationResult<AppTransaction>? {
                guard isAtStart else { return nil }
                isAtStart = false
                return try? await AppTransaction.shared
            }
        }
    }
}

/// The stored app transaction of a connection. Its signature is verified at each use.
final class AppTransactionFile: Sendable {
    private static let name = "app-transaction"
    private let present = Mutex<AppTransaction?>(nil)

    func shared(of connection: StoreConnection) async throws -> AppTransaction {
        if let transaction = present.withLock({ $0 }) { return transaction }
        let stored = stored(for: connection)
        if let stored, stored.appVersion == connection.applicationVersion {
            present.withLock { $0 = stored }
            return stored
        }
        do {
            return try await refresh(of: connection)
        } catch {
            // Without the store the one of the earlier version proves the purchase of the app. The next call asks again.
            guard let stored, StoreFailure(wrapping: error).urlErrorCode != nil else { throw error }
            return stored
        }
    }

    /// Returns the app transaction on disk; `nil` if there is none of this app.
    private func stored(for connection: StoreConnection) -> AppTransaction? {
        guard let data = try? connection.files.read(Self.name),
            let transaction = try? Self.transaction(signed: String(decoding: data, as: UTF8.self)),
            transaction.bundleID == connection.bundleID
        else { return nil }
        return transaction
    }

    func refresh(of connection: StoreConnection) async throws -> AppTransaction {
        let jws = try await connection.store.appTransaction()
        let transaction: AppTransaction
        do {
            transaction = try Self.transaction(signed: jws)
        } catch {
            throw StoreFailure(.unknown, message: "the store's app transaction was not understood: \(error)")
        }
        present.withLock { $0 = transaction }
        // Without the file the next launch asks the store.
        try? connection.files.write(Data(jws.utf8), to: Self.name)
        return transaction
    }

    private static func transaction(signed jws: String) throws -> AppTransaction {
        let parts = jws.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64.decode(Array(parts[1].utf8), as: .url) else {
            throw StoreFailure(.unknown, message: "not a compact JWS")
        }
        return try AppTransaction(jws: jws, payload: Data(payload))
    }
}

extension StoreConnection {
    var appTransactionFile: AppTransactionFile { part { _ in AppTransactionFile() } }
}

extension StoreProtocolClient {
    private struct AppTransactionAnswer: Decodable, Sendable {
        var signedAppTransaction: String
    }

    /// Fetches the app transaction as a compact JWS.
    func appTransaction() async throws -> String {
        let answer: AppTransactionAnswer = try await call(.get, "store/v1/app-transaction")
        return answer.signedAppTransaction
    }
}
