import Foundation
import Perennial
import PerennialDelivery
import PerennialStorage
import Synchronization
import TestSupport

/// A content server with a magazine, files, a fixed clock, and a store that answers as a test configures it.
final class DeliveryFixture: Sendable {
    static let magazine = App.BundleID(rawValue: "com.example.magazine")
    static let sandbox = DeliveryScope(environment: .sandbox, bundleID: magazine)

    let now = Settable(Instant(seconds: 1_767_225_600))  // 2026-01-01
    let store = ToldStore()
    let policy = Settable(NonRenewingPolicy(overlap: .extend))
    let folder: String
    let database: Database
    let delivery: Delivery
    private let make: @Sendable (Set<StoreEnvironment.Kind>, NotificationTrust?) throws -> Delivery

    /// - Parameter storeTime: The source of the store's time.
    init(_ engine: Engine = .sqliteInMemory, storeTime: StoreTime.Source = .wallClock) throws {
        folder = try TemporaryFolder.make()
        for name in ["filter", "issue-1", "issue-2", "archive"] {
            try Data("content of \(name)".utf8).write(to: URL(filePath: "\(folder)/\(name)"))
        }
        database = try engine.makeDatabase()
        let number = Settable(UInt64(0))
        make = { [now, store, policy, database, folder] environments, trust in
            Delivery(
                database: database, catalog: { Self.catalog(policy.value) },
                library: try ContentLibrary(root: folder), verification: store, notificationTrust: trust,
                environments: environments,
                clock: { now.value }, storeTime: storeTime,
                randomBytes: { count in
                    number.value &+= 1
                    let bytes = withUnsafeBytes(of: number.value.littleEndian) { Array($0) }
                    return (0..<count).map { bytes[$0 % bytes.count] }
                },
                passwordCost: PasswordHash.Cost(rounds: 16, blockSize: 1, parallelism: 1), logger: quietLogger)
        }
        delivery = try make(Set(StoreEnvironment.Kind.allCases), nil)
    }

    /// Returns the content server with other accepted environments.
    func delivery(accepting environments: Set<StoreEnvironment.Kind>) throws -> Delivery {
        try make(environments, nil)
    }

    /// Returns the content server with server notifications.
    func delivery(trusting trust: NotificationTrust) throws -> Delivery {
        try make(Set(StoreEnvironment.Kind.allCases), trust)
    }

    private static func catalog(_ policy: NonRenewingPolicy) -> DeliveryCatalog {
        func product(_ id: String, _ type: ProductType) -> Product {
            Product(
                id: Product.ID(rawValue: id), type: type, referenceName: id, basePrice: Money(milliunits: 990, .usd))
        }
        func issue(_ number: Int, _ date: String) -> Content {
            Content(
                id: Content.ID(rawValue: "issue-\(number)"), unlockedBy: [Product.ID(rawValue: "single.\(number)")],
                version: "1.\(number)", file: "issue-\(number)", filename: "Heft \(number).pdf",
                published: Instant(rfc3339: "\(date)T00:00:00Z"),
                includedIn: [Product.ID(rawValue: "monthly"), Product.ID(rawValue: "pass.1month")])
        }
        let app = App(
            bundleID: magazine, appleID: 1, name: "Magazine", nonRenewing: policy,
            products: [
                product("single.2", .nonConsumable), product("single.1", .nonConsumable),
                product("filter", .nonConsumable),
                product("monthly", .autoRenewable), product("pass.1month", .nonRenewing),
                product("pass.gold", .nonRenewing),
            ])
        let contents = [
            issue(1, "2026-01-15"), issue(2, "2026-02-15"),
            Content(
                id: Content.ID(rawValue: "filter"), unlockedBy: [Product.ID(rawValue: "filter")], file: "filter"),
            Content(
                id: Content.ID(rawValue: "archive"), unlockedBy: [], file: "archive",
                includedIn: [Product.ID(rawValue: "pass.1month"), Product.ID(rawValue: "pass.gold")]),
            Content(
                id: Content.ID(rawValue: "missing"), unlockedBy: [Product.ID(rawValue: "filter")], file: "missing"),
        ]
        return DeliveryCatalog([.init(app: app, contents: contents, sharedSecret: "secret")])
    }

    func customer(_ name: String) async throws -> String {
        try await delivery.openSession(customer: name, password: "password", bundleID: Self.magazine)
    }

    func grant(_ receipt: String, _ customerToken: String? = nil) async throws -> Grant {
        try await delivery.grant(receipt: receipt, bundleID: Self.magazine, customerToken: customerToken)
    }
}

/// A value that a test changes.
final class Settable<Value: Sendable>: Sendable {
    private let state: Mutex<Value>

    init(_ value: Value) {
        state = Mutex(value)
    }

    var value: Value {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

/// A store with configured answers.
final class ToldStore: ReceiptVerifying {
    let receipts = Settable<[String: AuthenticReceipt]>([:])
    let passwords = Settable<[String?]>([])

    func tell(
        _ receipt: String, _ purchases: [VerifiedPurchase], environment: StoreEnvironment.Kind = .sandbox,
        bundleID: App.BundleID = DeliveryFixture.magazine, at answered: Instant? = nil
    ) {
        receipts.value[receipt] = AuthenticReceipt(
            environment: environment, bundleID: bundleID, purchases: purchases, answered: answered)
    }

    func verify(receipt: String, password: String?) async throws -> AuthenticReceipt {
        passwords.value.append(password)
        guard let verified = receipts.value[receipt] else {
            throw DeliveryError(.receiptInvalid, "receipt", "refused", receiptStatus: 21003)
        }
        return verified
    }
}

func bought(
    _ product: String, _ id: Int64, on date: String = "2026-01-01", expires: String? = nil, cancelled: String? = nil
) -> VerifiedPurchase {
    func midnight(_ day: String) -> Instant? { Instant(rfc3339: "\(day)T00:00:00Z") }
    return VerifiedPurchase(
        productID: Product.ID(rawValue: product), transactionID: TransactionID(rawValue: id),
        purchaseDate: midnight(date) ?? Instant(milliseconds: 0), expiresDate: expires.flatMap(midnight),
        cancellationDate: cancelled.flatMap(midnight))
}
