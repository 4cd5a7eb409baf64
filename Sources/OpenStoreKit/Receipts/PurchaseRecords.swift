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
    }

    private struct State {
        var records: [PurchaseRecord] = []
        var number: UInt64 = 0
        var condition = Condition.intact
    }

    private let file: SealedFile<[PurchaseRecord]>?
    private let state: Mutex<State>

    /// - Parameter file: `nil` where the device's files can't be used: the records then last as long as the process.
    init(_ file: SealedFile<[PurchaseRecord]>?) {
        self.file = file
        var state = State()
        if let file {
            let (reading, number) = file.read()
            state.number = number
            switch reading {
            case .nothing: break
            case .intact(let records): state.records = records
            case .refused: state.condition = .refused
            }
        }
        self.state = Mutex(state)
    }

    /// All records, oldest first.
    public var all: [PurchaseRecord] { state.withLock { $0.records } }

    public var condition: Condition { state.withLock { $0.condition } }

    func contains(_ transactionID: String) -> Bool {
        state.withLock { $0.records.contains { $0.transactionIdentifier == transactionID } }
    }

    /// Remembers a purchase, once.
    ///
    /// A file that can't be written is no reason to lose a purchase: the record is kept in memory, and written with
    /// the next.
    func add(_ record: PurchaseRecord) {
        state.withLock { state in
            guard !state.records.contains(where: { $0.transactionIdentifier == record.transactionIdentifier }) else {
                return
            }
            state.records.append(record)
            write(&state)
        }
    }

    /// Takes what the store says in the place of a refused file, with what was added meanwhile.
    func rebuild(from records: [PurchaseRecord]) {
        state.withLock { state in
            guard state.condition == .refused else { return }
            let added = Set(state.records.map(\.transactionIdentifier))
            state.records = records.filter { !added.contains($0.transactionIdentifier) } + state.records
            state.condition = .rebuilt
            write(&state)
        }
    }

    /// Nothing is written over a refused file before the records are rebuilt: it may be someone's evidence.
    private func write(_ state: inout State) {
        guard let file, state.condition != .refused else { return }
        state.number += 1
        try? file.write(state.records, number: state.number)
    }
}
