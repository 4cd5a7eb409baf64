import BaseEncoding
import Foundation
import HTTPTypes
import Synchronization

extension AppTransaction {
    /// The customer's app transaction: the stored one, or else the store's. After an update of the app that of the new version, as soon as
    /// the store can be reached. Waits a few seconds for a store that doesn't answer, and half a minute if nothing is stored.
    ///
    /// - Throws: ``StoreKitError``; `networkError` if nothing is stored and the store can't be reached.
    ///
    /// Source: Apple, StoreKit documentation, "shared".
    public static var shared: VerificationResult<AppTransaction> {
        get async throws { try await load { try await $0.shared(of: $1) } }
    }

    /// Fetches the app transaction from the store.
    ///
    /// - Throws: ``StoreKitError``; `networkError` if the store doesn't answer within half a minute.
    ///
    /// Source: Apple, StoreKit documentation, "refresh()".
    public static func refresh() async throws -> VerificationResult<AppTransaction> {
        try await load { try await $0.refresh(of: $1, within: AppTransactionFile.limit) }
    }

    private static func load(
        _ body: (AppTransactionFile, StoreConnection) async throws -> AppTransaction
    ) async throws -> VerificationResult<AppTransaction> {
        guard let connection = CurrentStore.connection else { throw StoreKitError(wrapping: StoreFailure.noStore) }
        if let error = connection.simulatedErrors.error(for: .appTransaction) { throw error }
        do {
            let transaction = try await body(connection.appTransactionFile, connection)
            return connection.verified(transaction, jws: transaction.jws)
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
    /// Longest wait for the store.
    static let limit = Duration.seconds(30)
    /// Longest wait for the store if there is an app transaction without it.
    private static let shortLimit = Duration.seconds(3)
    private static let name = "app-transaction"

    private struct State {
        var present: AppTransaction?
        /// Request that is under way, for all callers.
        var fetch: Task<AppTransaction, any Error>?
    }

    private let state = Mutex(State())

    func shared(of connection: StoreConnection) async throws -> AppTransaction {
        if let present = state.withLock({ $0.present }) { return present }
        // The key of the store's root.
        await limited(Self.limit, on: connection) { [vault = connection.vault] in await vault.prepare() }
        let stored = stored(for: connection)
        if let stored, stored.appVersion == connection.applicationVersion, isVerified(stored, by: connection) {
            state.withLock { $0.present = stored }
            return stored
        }
        do {
            return try await refresh(of: connection, within: stored == nil ? Self.limit : Self.shortLimit)
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

    private func isVerified(_ transaction: AppTransaction, by connection: StoreConnection) -> Bool {
        connection.verification.failure(of: transaction.jws) == nil
    }

    /// Fetches the app transaction of the store, with what is needed to verify it.
    ///
    /// - Parameter limit: Longest wait for a store over a network. The request goes on after it, for the next call.
    /// - Throws: `StoreFailure`; `CancellationError`.
    func refresh(of connection: StoreConnection, within limit: Duration) async throws -> AppTransaction {
        let fetch = state.withLock { state in
            let fetch = state.fetch ?? Task { try await self.fetch(of: connection) }
            state.fetch = fetch
            return fetch
        }
        let outcome = Outcome()
        await limited(limit, on: connection) {
            let result = await fetch.result
            outcome.result.withLock { $0 = result }
        }
        try Task.checkCancellation()
        guard let result = outcome.result.withLock({ $0 }) else {
            throw StoreFailure(
                .unknown, message: "the store didn't answer in time", isAmbiguous: true, urlErrorCode: .timedOut)
        }
        return try result.get()
    }

    /// Outcome of a request; `nil` until then.
    private final class Outcome: Sendable {
        let result = Mutex<Result<AppTransaction, any Error>?>(nil)
    }

    /// Runs `body`, for a store over a network up to a limit. It goes on after that.
    private func limited(
        _ limit: Duration, on connection: StoreConnection, _ body: @escaping @Sendable () async -> Void
    ) async {
        guard connection.store.http.transport.isRemote else { return await body() }
        await connection.dependencies.withLimit(limit, body)
    }

    private func fetch(of connection: StoreConnection) async throws -> AppTransaction {
        defer { state.withLock { $0.fetch = nil } }
        let jws = try await connection.store.appTransaction()
        let transaction: AppTransaction
        do {
            transaction = try Self.transaction(signed: jws)
        } catch {
            throw StoreFailure(.unknown, message: "the store's app transaction was not understood: \(error)")
        }
        try? await connection.verification.prepare()
        // One that can't be verified takes the place of none that can be.
        if !isVerified(transaction, by: connection), let stored = stored(for: connection),
            isVerified(stored, by: connection)
        {
            return transaction
        }
        state.withLock { $0.present = transaction }
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
