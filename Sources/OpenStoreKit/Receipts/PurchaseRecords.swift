import Foundation
import Synchronization

/// Records of finished purchases on this device, in a file that detects changes, rollbacks and copies from other devices.
///
/// The store doesn't restore consumables and non-renewing subscriptions, so the records are their only trace on the device. A file
/// that was tampered with is refused, and rebuilt from the store's answers.
public final class PurchaseRecords: Sendable {
    /// Condition of the records.
    public enum Condition: Sendable, Equatable {
        /// The file is intact.
        case intact
        /// The file was refused. The records are empty until they are rebuilt.
        case refused
        /// The file was refused, and rebuilt from the store's answers.
        case rebuilt
        /// The file can't be read now. The records are empty and the queue waits until it can be.
        case unreadable
    }

    private struct State {
        var content = RecordedPurchases()
        var file = PersistedValue<RecordedPurchases>("purchases")
        var condition = Condition.unreadable
    }

    private let storage: AuthenticatedStorage
    private let state = Mutex(State())

    init(_ storage: AuthenticatedStorage) {
        self.storage = storage
    }

    /// Reads the file if it wasn't read yet.
    ///
    /// - Returns: True if it was read, also if it was refused.
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

    /// Condition of the records.
    public var condition: Condition { state.withLock { $0.condition } }

    /// True if the app has finished a purchase on this device, or the store says so. A purchase in a receipt may be undelivered.
    func hasFinished(_ transactionID: String) -> Bool {
        state.withLock { state in
            state.content.records.contains { $0.transactionIdentifier == transactionID }
                && !state.content.unconfirmed.contains(transactionID)
        }
    }

    /// Adds a finished purchase, once. Keeps it in memory if the file can't be written, and writes it with the next.
    func add(_ record: PurchaseRecord) {
        change { $0.add(record) }
    }

    /// Removes records that come from a receipt only, for transactions that the store lists as unfinished.
    func retract(_ transactionIDs: [String]) {
        change { $0.retract(transactionIDs) }
    }

    /// Rebuilds refused records. Keeps those that were added since.
    ///
    /// - Parameters:
    ///   - proven: Purchases in a receipt, finished or not.
    ///   - finished: Finished purchases.
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

    /// Changes the records. Doesn't overwrite a refused file before the rebuild, since it may be evidence.
    private func change(_ body: (inout RecordedPurchases) -> Void) {
        state.withLock { state in
            let before = state.content
            body(&state.content)
            guard state.content != before, state.condition != .refused else { return }
            try? state.file.save(state.content)
        }
    }
}

/// Content of the records' file.
struct RecordedPurchases: Codable, Sendable, Equatable {
    private(set) var records: [PurchaseRecord] = []
    /// Transactions that come from a receipt only, and may be unfinished.
    private(set) var unconfirmed: Set<String> = []

    init() {}

    mutating func add(_ record: PurchaseRecord, isConfirmed: Bool = true) {
        let id = record.transactionIdentifier
        if !records.contains(where: { $0.transactionIdentifier == id }) {
            records.append(record)
            if !isConfirmed { unconfirmed.insert(id) }
        } else if isConfirmed, unconfirmed.remove(id) != nil {
            // The app's record has more fields than the receipt's.
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
        // Sorted, so that equal records are equal bytes.
        try container.encode(unconfirmed.sorted(), forKey: .unconfirmed)
    }
}
