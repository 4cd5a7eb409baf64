import Foundation
import Synchronization

/// The device's own memory of finished purchases, in a file that can't be changed, replaced by an older copy or brought
/// from another device without being noticed.
///
/// Consumables and non-renewing subscriptions don't come back from the store: whoever wants to know of them later looks
/// here. A file that was tampered with is refused as a whole, and what the store can still say of the customer's
/// purchases takes its place.
public final class PurchaseRecords: Sendable {
    /// How much the records can be relied on.
    public enum Condition: Sendable, Equatable {
        case intact
        /// The file was refused: the records are empty until the store has been asked.
        case refused
        /// The file was refused earlier; the records hold what the store knew.
        case rebuilt
        /// The file can't be read now: the records are empty until it can be, and the queue waits for it.
        case unreadable
    }

    private struct State {
        var content = RecordedPurchases()
        var file = LoadedFile<RecordedPurchases>("purchases")
        var condition = Condition.unreadable
    }

    private let storage: SealedStorage
    private let state = Mutex(State())

    init(_ storage: SealedStorage) {
        self.storage = storage
    }

    /// Reads the file, where that wasn't possible before.
    ///
    /// - Returns: Whether it was read, whatever came of it.
    func load() -> Bool {
        state.withLock { state in
            guard !state.file.isLoaded else { return true }
            switch state.file.load(from: storage) {
            case nil, .unreadable: return false
            case .nothing: state.condition = .intact
            case .intact(let content):
                state.content = content
                state.condition = .intact
            case .refused: state.condition = .refused
            }
            return true
        }
    }

    /// All records, oldest first.
    public var all: [PurchaseRecord] { state.withLock { $0.content.records } }

    public var condition: Condition { state.withLock { $0.condition } }

    /// Whether the app has finished a purchase on this device, or the store has said that it is finished. What a receipt
    /// proves was bought; it may still have to be delivered.
    func hasFinished(_ transactionID: String) -> Bool {
        state.withLock { state in
            state.content.records.contains { $0.transactionIdentifier == transactionID }
                && !state.content.unconfirmed.contains(transactionID)
        }
    }

    /// Remembers a finished purchase, once.
    ///
    /// A file that can't be written is no reason to lose a purchase: the record is kept in memory, and written with
    /// the next.
    func add(_ record: PurchaseRecord) {
        change { $0.add(record) }
    }

    /// The store lists these as unfinished: those that only a receipt told of are no records yet.
    func retract(_ transactionIDs: [String]) {
        change { $0.retract(transactionIDs) }
    }

    /// Takes what the store says in the place of a refused file, with what was added meanwhile.
    ///
    /// - Parameters:
    ///   - proven: Purchases in a receipt, finished or not.
    ///   - finished: Purchases that are known to be finished.
    func rebuild(proven: [PurchaseRecord], finished: [PurchaseRecord]) {
        state.withLock { state in
            guard state.condition == .refused else { return }
            let added = state.content.records
            state.content = RecordedPurchases()
            proven.forEach { state.content.add($0, isConfirmed: false) }
            (finished + added).forEach { state.content.add($0) }
            state.condition = .rebuilt
            try? state.file.save(state.content)
        }
    }

    /// Nothing is written over a refused file before the records are rebuilt: it may be someone's evidence.
    private func change(_ body: (inout RecordedPurchases) -> Void) {
        state.withLock { state in
            let before = state.content
            body(&state.content)
            guard state.content != before, state.condition != .refused else { return }
            try? state.file.save(state.content)
        }
    }
}

/// What the records' file holds.
struct RecordedPurchases: Codable, Sendable, Equatable {
    private(set) var records: [PurchaseRecord] = []
    /// Transactions of records that come from a receipt: nothing says that they were finished.
    private(set) var unconfirmed: Set<String> = []

    init() {}

    mutating func add(_ record: PurchaseRecord, isConfirmed: Bool = true) {
        let id = record.transactionIdentifier
        if !records.contains(where: { $0.transactionIdentifier == id }) {
            records.append(record)
            if !isConfirmed { unconfirmed.insert(id) }
        } else if isConfirmed, unconfirmed.remove(id) != nil {
            // The app's own record has more in it than the receipt's.
            records.removeAll { $0.transactionIdentifier == id }
            records.append(record)
        }
    }

    mutating func retract(_ transactionIDs: [String]) {
        let retracted = unconfirmed.intersection(transactionIDs)
        guard !retracted.isEmpty else { return }
        unconfirmed.subtract(retracted)
        records.removeAll { retracted.contains($0.transactionIdentifier) }
    }

    private enum CodingKeys: CodingKey {
        case records, unconfirmed
    }

    init(from decoder: any Decoder) throws {
        // Earlier versions wrote the records alone.
        if let list = try? decoder.singleValueContainer().decode([PurchaseRecord].self) {
            records = list
            return
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        records = try container.decode([PurchaseRecord].self, forKey: .records)
        unconfirmed = try container.decode(Set<String>.self, forKey: .unconfirmed)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(records, forKey: .records)
        // In order: the same records are the same bytes.
        try container.encode(unconfirmed.sorted(), forKey: .unconfirmed)
    }
}
