import AppStoreFormats
import Perennial
import PerennialStorage

/// Adds notifications to the database in the transaction that appends their journal entries: a transactional outbox.
/// ``Notifications`` sends them after the commit.
struct NotificationOutbox: StoreChapter {
    let context: StoreContext
    let cipher: ReceiptOwnerCipher

    /// Adds the notifications of consecutive journal entries.
    ///
    /// - Parameters:
    ///   - last: The position of the last entry.
    ///   - subscription: The subscription after the change; `nil` if the entries aren't about one.
    ///   - details: The details of the first entry; the others have none.
    func notify(
        of entries: [JournalEntry], last: Int64, app: Int64, subscription: Subscription? = nil,
        details: NotificationDetails? = nil, on connection: any Connection
    ) throws {
        guard var factory = try NotificationFactory(app: app, outbox: self, on: connection) else { return }
        try factory.make(of: entries, last: last, subscription: subscription, details: details, on: connection)
        try factory.write(on: connection)
    }

    /// Appends a journal entry that belongs to no purchase or subscription, such as a test, and adds its notifications.
    ///
    /// - Returns: The entry's position.
    @discardableResult
    func publish(
        _ entry: JournalEntry, app: Int64, details: NotificationDetails? = nil, on connection: any Connection
    ) throws -> Int64 {
        let position = try JournalTable.append([entry], app: app, environment.id, on: connection)
        try notify(of: [entry], last: position, app: app, details: details, on: connection)
        return position
    }
}

/// The parts of a notification that only few kinds of journal entries have.
package struct NotificationDetails: Sendable, Equatable, Codable {
    /// The reason that the customer gave for the refund request.
    package var consumptionRequestReason: String?
    package var summary: NotificationPayload.Summary?
    package var externalPurchaseToken: NotificationPayload.ExternalPurchaseToken?
    package var appTransaction: AppTransactionPayload?

    package init(
        consumptionRequestReason: String? = nil, summary: NotificationPayload.Summary? = nil,
        externalPurchaseToken: NotificationPayload.ExternalPurchaseToken? = nil,
        appTransaction: AppTransactionPayload? = nil
    ) {
        self.consumptionRequestReason = consumptionRequestReason
        self.summary = summary
        self.externalPurchaseToken = externalPurchaseToken
        self.appTransaction = appTransaction
    }

    init(json: String) throws { self = try StoredJSON.value(from: json) }

    var json: String { get throws { try StoredJSON.text(self, escapesSlashes: true) } }
}
