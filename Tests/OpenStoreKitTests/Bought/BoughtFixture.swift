import AppStoreFormats
import Foundation
import OpenStoreKit
import Perennial
import Synchronization
import Testing

// Perennial has a type of this name, too.
typealias Transaction = OpenStoreKit.Transaction

/// A store with a device of one customer.
struct BoughtFixture {
    let store: SignedStore
    let device: Device
    let connection: StoreConnection
    let clock: Mutex<Instant>.Shared

    /// - Parameter isPinning: True for a connection without root certificates.
    init(store: SignedStore? = nil, device: Device? = nil, isPinning: Bool = false) throws {
        self.store = try store ?? SignedStore()
        self.device = try device ?? Device()
        self.clock = Mutex<Instant>.Shared(SignedStore.start)
        self.connection = try self.device.signedConnection(
            self.store, roots: isPinning ? [] : [Data(SignedStore.identities.rootCertificate)], clock: clock)
    }

    /// Makes a fixture with a transport before its store.
    init(transport: DelayingTransport) throws {
        self.store = try #require(transport.store as? SignedStore)
        self.device = try Device()
        self.clock = Mutex<Instant>.Shared(SignedStore.start)
        self.connection = try device.signedConnection(
            transport, roots: [Data(SignedStore.identities.rootCertificate)], clock: clock)
    }

    var sync: TransactionSync { connection.transactionSync }

    /// Runs `body` with the connection as the task's.
    func run<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        try await connection.withCurrent { try await body() }
    }

    /// Collects product IDs, with a mark for unverified ones.
    func products(_ transactions: Transaction.Transactions) async -> [String] {
        await connection.withCurrent {
            var products: [String] = []
            for await result in transactions { products.append(Self.name(result)) }
            return products
        }
    }

    static func name(_ result: VerificationResult<Transaction>) -> String {
        switch result {
        case .verified(let transaction): transaction.productID
        case .unverified(let transaction, _): transaction.productID + "?"
        }
    }
}

extension Mutex where Value == Instant {
    /// A clock that tests set.
    final class Shared: Sendable {
        private let value: Mutex<Instant>

        init(_ value: Instant) {
            self.value = Mutex(value)
        }

        var now: Instant {
            get { value.withLock { $0 } }
            set { value.withLock { $0 = newValue } }
        }
    }
}

extension Device {
    func signedConnection(
        _ transport: any Transport, roots: [Data], clock: Mutex<Instant>.Shared
    ) throws -> StoreConnection {
        var dependencies = DeviceDependencies.test()
        dependencies.now = { clock.now }
        return StoreConnection(
            baseURL: try #require(URL(string: "http://store.test")), bundleID: SignedStore.bundleID,
            account: "ann@example.com", deviceID: identifier, storageFolder: folder, rootCertificates: roots,
            transport: transport, dependencies: dependencies, files: files)
    }
}

extension TransactionPayload {
    /// Makes a purchase by its number.
    static func sold(
        _ id: UInt64, _ product: String, _ type: ProductType = .nonConsumable, original: UInt64? = nil,
        at date: Instant = SignedStore.start, change: (inout TransactionPayload) -> Void = { _ in }
    ) -> TransactionPayload {
        var payload = TransactionPayload(
            transactionId: "\(id)", originalTransactionId: "\(original ?? id)", bundleId: SignedStore.bundleID,
            productId: product, type: type, purchaseDate: date.date, originalPurchaseDate: date.date,
            signedDate: date.date, environment: .xcode)
        change(&payload)
        return payload
    }

    /// Makes a period of a subscription in the group "news".
    static func period(
        _ id: UInt64, original: UInt64? = nil, product: String = "monthly", from date: Instant = SignedStore.start,
        change: (inout TransactionPayload) -> Void = { _ in }
    ) -> TransactionPayload {
        sold(id, product, .autoRenewableSubscription, original: original, at: date) { payload in
            payload.subscriptionGroupIdentifier = "news"
            payload.expiresDate = (date + .days(30)).date
            change(&payload)
        }
    }
}

extension RenewalInfoPayload {
    static func renewal(
        of original: UInt64, product: String = "monthly", isOn: Bool = true,
        change: (inout RenewalInfoPayload) -> Void = { _ in }
    ) -> RenewalInfoPayload {
        var payload = RenewalInfoPayload(
            originalTransactionId: "\(original)", productId: product, autoRenewProductId: product,
            autoRenewStatus: isOn ? .on : .off, signedDate: SignedStore.start.date, environment: .xcode)
        change(&payload)
        return payload
    }
}
