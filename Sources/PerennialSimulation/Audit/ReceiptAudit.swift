import Foundation
import Perennial
import PerennialDelivery
import PerennialStore

/// Compares a customer's receipts with the tables: the app receipt, the receipts of single transactions, and the content that the
/// content server opens for them.
struct ReceiptAudit {
    let store: Store
    let environment: StoreEnvironment
    let customer: Customer
    let state: CustomerState
    /// Time of the queried node, whose clock may be behind.
    let now: Instant
    /// Time of the content server, whose clock is not behind.
    let deliveryNow: Instant

    /// - Throws: ``Violation`` `.wrongReceipt`.
    func check() async throws {
        let receipt = try await store.receipts.appReceipt(for: customer)
        let body = try await verify(Data(receipt).base64EncodedString())
        let answer = try JSONDecoder().decode(AppReceiptAnswer.self, from: Data(body))
        guard answer.status == 0 else { throw disagree("the app receipt has the status \(answer.status)") }
        try compare(answer.receipt.inApp, in: "in_app")
        if let latest = answer.latestReceiptInfo {
            try compare(latest, in: "latest_receipt_info")
            try checkOrder(of: latest)
        }
        try checkDelivery(body)
        for subscription in state.subscriptions {
            try await checkOldReceipt(of: subscription)
        }
    }

    private func disagree(_ what: String) -> Violation { Violation(.wrongReceipt, what) }

    private func verify(_ receipt: String) async throws -> [UInt8] {
        let request = ["receipt-data": receipt, "password": SimulatedCatalog.sharedSecret]
        return await store.verification.verifyReceipt(Array(try JSONEncoder().encode(request)))
    }

    // MARK: - The app receipt

    /// Rows that a receipt lists: every period and term, the newest sale of a non-consumable or free subscription, and
    /// unfinished consumables.
    private var listed: [CustomerState.Row] {
        let inOrder = state.rows.sorted { $0.position < $1.position }
        let newest = Dictionary(inOrder.map { ($0.transaction.originalID, $0.transaction.id) }) { $1 }
        return inOrder.filter { row in
            switch row.transaction.type {
            case .consumable: !row.transaction.isFinished
            case .nonConsumable, .free: newest[row.transaction.originalID] == row.transaction.id
            case .autoRenewable, .nonRenewing: true
            }
        }
    }

    private func compare(_ entries: [Listed], in list: String) throws(Violation) {
        let expected = listed.map(\.transaction)
        let (found, sold) = (Set(entries.map(\.transactionID)), Set(expected.map(\.id.description)))
        guard found == sold, entries.count == expected.count else {
            throw disagree("\(list) differs from what was sold in \(found.symmetricDifference(sold).sorted())")
        }
        let byID = Dictionary(expected.map { ($0.id.description, $0) }) { first, _ in first }
        for entry in entries {
            guard let transaction = byID[entry.transactionID] else { continue }
            guard entry.expires == transaction.expiresDate?.milliseconds else {
                throw disagree("\(list) says another end of \(entry.transactionID) than was sold")
            }
            let isRevoked = transaction.revocation != nil && transaction.type != .consumable
            guard (entry.cancelled != nil) == isRevoked else {
                throw disagree("\(list) says that \(entry.transactionID) was refunded, or not")
            }
        }
    }

    /// Checks the order: newest first, and of equal dates the later sale first.
    private func checkOrder(of latest: [Listed]) throws(Violation) {
        let places = Dictionary(state.rows.map { ($0.transaction.id.description, $0) }) { first, _ in first }
        let rows = latest.compactMap { places[$0.transactionID] }
        for (one, next) in zip(rows, rows.dropFirst()) {
            let (date, after) = (one.transaction.purchaseDate, next.transaction.purchaseDate)
            guard (date, one.position) > (after, next.position) else {
                throw disagree("\(next.transaction.id) is listed after \(one.transaction.id), and is newer")
            }
        }
    }

    // MARK: - Receipts of single transactions

    /// Checks for status 0 while a paid period is in force, 21006 otherwise.
    private func checkOldReceipt(of subscription: Subscription) async throws {
        let periods = state.periods(of: subscription)
        guard let first = periods.first else { return }
        let receipt = try await store.receipts.transactionReceipt(of: first, for: customer)
        let answer = try JSONDecoder().decode(OldReceiptAnswer.self, from: Data(try await verify(receipt)))
        let expected = periods.contains { $0.isInForce(at: now) } ? 0 : Self.subscriptionExpired
        guard answer.status == expected else {
            throw disagree("the receipt of \(first.id) has the status \(answer.status), and not \(expected)")
        }
    }

    private static let subscriptionExpired = 21006

    // MARK: - The content server

    /// Checks that a product's content is open exactly while the customer has the product.
    private func checkDelivery(_ body: [UInt8]) throws(Violation) {
        let side: StoreEnvironment.Kind = environment.kind == .production ? .production : .sandbox
        guard case .authentic(let verified) = ReceiptVerdict(.init(httpStatus: 200, body: body), from: side) else {
            throw disagree("the content server can't read the store's answer")
        }
        var purchases = verified.purchases
        for index in purchases.indices {
            purchases[index].type = SimulatedCatalog.products[purchases[index].productID]?.type
        }
        let opened = Set(
            EntitlementRules(contents: Self.contents).entitlements(from: purchases, at: deliveryNow).map(\.productID))
        let owned = Set(listed.map(\.transaction).filter(isOpen).map(\.productID))
        guard opened == owned else {
            let difference = opened.symmetricDifference(owned).map(\.rawValue).sorted()
            throw disagree("the content server opens, or doesn't, what the customer has or not: \(difference)")
        }
    }

    /// True if a transaction opens content. Non-renewing subscriptions need a session with the content server, which no simulated
    /// customer has.
    private func isOpen(_ transaction: Transaction) -> Bool {
        switch transaction.type {
        // Refunds don't revoke consumables.
        case .consumable: true
        case .nonConsumable, .free: transaction.isInForce(at: deliveryNow)
        case .autoRenewable: transaction.isLive && transaction.covers(deliveryNow)
        case .nonRenewing: false
        }
    }

    private static let contents = SimulatedCatalog.products.keys.sorted { $0.rawValue < $1.rawValue }.map {
        Content(id: Content.ID(rawValue: $0.rawValue), unlockedBy: [$0], file: $0.rawValue)
    }
}

/// The fields of verifyReceipt's answer that the audit reads.
private struct AppReceiptAnswer: Decodable {
    struct Receipt: Decodable {
        var inApp: [Listed]

        enum CodingKeys: String, CodingKey { case inApp = "in_app" }
    }

    var status: Int
    var receipt: Receipt
    var latestReceiptInfo: [Listed]?

    enum CodingKeys: String, CodingKey {
        case status, receipt
        case latestReceiptInfo = "latest_receipt_info"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        status = try container.decode(Int.self, forKey: .status)
        receipt = try container.decodeIfPresent(Receipt.self, forKey: .receipt) ?? Receipt(inApp: [])
        latestReceiptInfo = try container.decodeIfPresent([Listed].self, forKey: .latestReceiptInfo)
    }
}

private struct OldReceiptAnswer: Decodable {
    var status: Int
}

private struct Listed: Decodable {
    var transactionID: String
    var expires: Int64?
    var cancelled: Int64?

    enum CodingKeys: String, CodingKey {
        case transactionID = "transaction_id"
        case expires = "expires_date_ms"
        case cancelled = "cancellation_date_ms"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        transactionID = try container.decode(String.self, forKey: .transactionID)
        expires = try container.decodeIfPresent(String.self, forKey: .expires).flatMap(Int64.init)
        cancelled = try container.decodeIfPresent(String.self, forKey: .cancelled).flatMap(Int64.init)
    }
}
