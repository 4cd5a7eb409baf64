import Foundation
import Perennial

/// The records of finished purchases that aren't signed: with receipts in the old form, or from a receipt.
struct RecordedPurchases: Sendable, Equatable {
    struct Entry: Codable, Sendable, Equatable {
        var record: PurchaseRecord
        /// False for a purchase that comes from a receipt only, and may be unfinished.
        var isConfirmed: Bool
    }

    private(set) var entries: [Entry] = []
    private var positions: [String: Int] = [:]

    init() {}

    var records: [PurchaseRecord] { entries.map(\.record) }

    func entry(_ transactionID: String) -> Entry? { positions[transactionID].map { entries[$0] } }

    /// Returns the entry that adding a record would make; `nil` if nothing would change.
    func adding(_ record: PurchaseRecord, isConfirmed: Bool = true) -> Entry? {
        let new = Entry(record: record, isConfirmed: isConfirmed)
        guard let known = entry(record.transactionIdentifier) else { return new }
        // A later purchase with the ID of one in a store that was emptied.
        guard known.record.isBought(at: Instant(record.purchaseDate)) else { return new }
        // The app's record has more fields than the receipt's.
        return isConfirmed && !known.isConfirmed ? new : nil
    }

    mutating func put(_ entry: Entry) {
        let id = entry.record.transactionIdentifier
        if let position = positions[id] {
            entries[position] = entry
        } else {
            positions[id] = entries.count
            entries.append(entry)
        }
    }

    mutating func remove(_ transactionIDs: Set<String>) {
        guard !transactionIDs.isEmpty else { return }
        entries.removeAll { transactionIDs.contains($0.record.transactionIdentifier) }
        positions = [:]
        for (position, entry) in entries.enumerated() { positions[entry.record.transactionIdentifier] = position }
    }
}
