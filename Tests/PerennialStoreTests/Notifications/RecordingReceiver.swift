import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage
import PerennialStore
import Synchronization
import TestSupport

/// A receiver without a network. Records notifications and answers as configured.
final class RecordingReceiver: NotificationSender {
    struct Delivery: Sendable {
        let url: String
        let body: [UInt8]

        var signedPayload: String {
            get throws { try JSONDecoder().decode(NotificationBody.self, from: Data(body)).signedPayload }
        }

        /// The payload, verified as by a receiver.
        var payload: NotificationPayload {
            get throws { try TestSigning.verifier.verify(try signedPayload, as: NotificationPayload.self) }
        }

        var transaction: TransactionPayload? {
            get throws {
                try payload.data?.signedTransactionInfo.map {
                    try TestSigning.verifier.verify($0, as: TransactionPayload.self)
                }
            }
        }

        var renewal: RenewalInfoPayload? {
            get throws {
                try payload.data?.signedRenewalInfo.map {
                    try TestSigning.verifier.verify($0, as: RenewalInfoPayload.self)
                }
            }
        }

        /// `DID_RENEW`, `EXPIRED/VOLUNTARY`.
        var name: String {
            get throws {
                let payload = try payload
                return [payload.notificationType.rawValue, payload.subtype?.rawValue].compactMap { $0 }
                    .joined(separator: "/")
            }
        }
    }

    typealias Answer = @Sendable (Delivery, _ number: Int) async -> NotificationOutcome

    /// A closure in a struct, because a closure in a generic container gets another wrapper each time it is read.
    private struct Behavior: Sendable {
        let answer: Answer
    }

    private let kept = Mutex<[Delivery]>([])
    private let behavior: Mutex<Behavior>

    init(_ answer: @escaping Answer = { _, _ in NotificationOutcome(.success, httpStatus: 200) }) {
        behavior = Mutex(Behavior(answer: answer))
    }

    var deliveries: [Delivery] { kept.withLock { $0 } }

    var names: [String] {
        get throws { try deliveries.map { try $0.name } }
    }

    func answers(_ new: @escaping Answer) { behavior.withLock { $0 = Behavior(answer: new) } }
    func forget() { kept.withLock { $0 = [] } }

    func post(_ body: [UInt8], to url: String, timeout: Int64) async -> NotificationOutcome {
        let delivery = Delivery(url: url, body: body)
        let number = kept.withLock { kept in
            kept.append(delivery)
            return kept.count
        }
        return await behavior.withLock { $0 }.answer(delivery, number)
    }
}

/// A store on a manual clock whose magazine sends notifications to a receiver.
struct NotifyingShop: Sendable {
    static let start = Instant(milliseconds: 1_738_317_600_000)  // 2025-01-31T10:00:00Z

    let shop: TestStore
    let receiver: RecordingReceiver

    var store: Store { shop.store }

    static func make(
        on engine: Engine = .sqliteInMemory, app: App = TestCatalog.magazine(),
        kind: StoreEnvironment.Kind = .production,
        settings: NotificationSettings? = NotificationSettings(url: "https://example.com/hook"),
        receiver: RecordingReceiver = RecordingReceiver(), faults: (@Sendable (FaultPoint) throws -> Void)? = nil
    ) async throws -> NotifyingShop {
        let house = try await TestStore.make(on: engine, app: app, sender: receiver, faults: faults)
        _ = try await house.registry.makeEnvironment("lab", kind: kind, clock: .manual, now: start)
        let shop = NotifyingShop(shop: try await house.environment("lab"), receiver: receiver)
        if let settings { try await shop.store.notifications.configure(settings, of: TestCatalog.bundleID) }
        return shop
    }

    /// Sends the due notifications.
    func deliver() async throws { try await store.notifications.sendDue() }

    func advance(to instant: Instant) async throws { _ = try await store.clock.advance(to: instant) }

    /// Every notification with its attempts, oldest first.
    var records: [(name: String, attempts: [String], minutes: [Int64])] {
        get async throws {
            try await store.notifications.newest(of: TestCatalog.bundleID, limit: 1000).reversed().map { record in
                (
                    [record.type, record.subtype].compactMap { $0 }.joined(separator: "/"),
                    record.attempts.map(\.result),
                    record.attempts.map { ($0.at - Self.start) / 60_000 }
                )
            }
        }
    }
}
