import AppStoreFormats
import Foundation
import Perennial
import PerennialSimulation
import Synchronization
import TestSupport

/// A seller's server from before 2021, which keeps the newest receipt of the notifications and compares dates.
final class SampleReceiverV1: ReceiverUnderTest {
    static let sharedSecret = "00112233445566778899aabbccddeeff"

    private let now: Int64
    private let ignoresCancellations: Bool
    /// Answers by original transaction ID.
    private let known = Mutex<[String: ReceiverStatus]>([:])

    init(now: Date, ignoresCancellations: Bool = false) {
        self.now = Int64(now.timeIntervalSince1970 * 1000)
        self.ignoresCancellations = ignoresCancellations
    }

    func register(_ registration: ReceiverRegistration) async -> String? { nil }

    func post(_ body: [UInt8]) async -> String? {
        do {
            return try take(try JSONValue(Data(body)))
        } catch {
            return "\(error)"
        }
    }

    private func take(_ body: JSONValue) throws -> String? {
        guard body["password"] == .string(Self.sharedSecret) else { return "another secret" }
        let periods = (body["unified_receipt"]?["latest_receipt_info"]?.elements ?? []).sorted {
            milliseconds($0, "purchase_date_ms") ?? 0 < milliseconds($1, "purchase_date_ms") ?? 0
        }
        let renewals = body["unified_receipt"]?["pending_renewal_info"]?.elements ?? []
        for (id, periods) in Dictionary(grouping: periods, by: { $0["original_transaction_id"]?.text ?? "" }) {
            let renewal = renewals.first { $0["original_transaction_id"]?.text == id }
            let isRunning = periods.contains { period in
                let isCancelled = period["cancellation_date_ms"] != nil || period["is_upgraded"] == "true"
                return (ignoresCancellations || !isCancelled) && (milliseconds(period, "expires_date_ms") ?? 0) > now
            }
            let hasGrace =
                renewal.flatMap { milliseconds($0, "grace_period_expires_date_ms") }.map { $0 > now } ?? false
            let newest = periods.last
            known.withLock {
                $0[id] = ReceiverStatus(
                    isEntitled: isRunning || hasGrace, productID: newest?["product_id"]?.text,
                    environment: body["environment"] == "PROD" ? "Production" : body["environment"]?.text)
            }
        }
        return nil
    }

    private func milliseconds(_ object: JSONValue, _ key: String) -> Int64? { object[key]?.text.flatMap { Int64($0) } }

    func status(of originalTransactionID: String) async throws -> ReceiverStatus {
        known.withLock { $0[originalTransactionID] } ?? ReceiverStatus(isEntitled: false)
    }
}
