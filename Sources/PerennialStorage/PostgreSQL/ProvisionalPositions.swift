import Perennial

/// The journal positions that a transaction has reserved, until its end gives them their numbers.
///
/// A provisional position is above every real one, and in the order of reservation. Its bits, from the highest: 01, which no
/// real position reaches; 29 random ones for the transaction, so that what is derived from a position is as good as unique;
/// 12 for the slot; 20 for the place in it.
struct ProvisionalPositions {
    /// Positions of one journal that get their numbers together.
    struct Slot {
        let environment: Int64
        let app: Int64
        /// The provisional position before the first.
        let start: Int64
        fileprivate(set) var count: Int64
        /// True once the transaction has locked the journal's head and moved it behind these positions.
        var isNumbered = false
        /// The setting of the transaction with the difference between the real and the provisional positions.
        let setting: String
    }

    static let lowest: Int64 = 1 << 62

    private static let placeBits: Int64 = 20
    private static let slotBits: Int64 = 12
    private static let slotsMax = 1 << Int(slotBits)
    private static let countMax: Int64 = 1 << placeBits - 1

    private let base =
        lowest | Int64.random(in: 0..<(1 << 29)) << (slotBits + placeBits)
    private(set) var slots: [Slot] = []
    /// The slots that have no numbers yet.
    private(set) var open = 0

    /// Reserves positions at the end of a journal.
    ///
    /// - Returns: The last; `nil` if there are too many for one transaction.
    mutating func reserve(_ count: Int64, app: Int64, _ environment: StoreEnvironment.ID) -> Int64? {
        guard count > 0, count <= Self.countMax else { return nil }
        let known = slots.lastIndex {
            $0.app == app && $0.environment == environment.rawValue && !$0.isNumbered
                && $0.count <= Self.countMax - count
        }
        let index = known ?? slots.count
        if known == nil {
            guard slots.count < Self.slotsMax else { return nil }
            slots.append(
                Slot(
                    environment: environment.rawValue, app: app, start: base | Int64(index) << Self.placeBits, count: 0,
                    setting: "perennial.slot\(index)"))
            open += 1
        }
        slots[index].count += count
        return slots[index].start + slots[index].count
    }

    /// Returns the same number for positions that get their numbers together.
    static func group(of position: Int64) -> Int64 { position >> placeBits }

    /// Returns the index of the slot of a position; `nil` if the value isn't one of these positions.
    func slot(of value: SQLValue) -> Int? {
        guard case .integer(let position) = value, position > base else { return nil }
        let index = (position - base) >> Self.placeBits
        guard index < slots.count else { return nil }
        let slot = slots[Int(index)]
        return position - slot.start <= slot.count && position > slot.start ? Int(index) : nil
    }

    /// Marks all slots as numbered, and returns those that weren't in the order in which transactions lock the journals' heads.
    mutating func number() -> [Slot] {
        let numbered = slots.filter { !$0.isNumbered }.sorted {
            ($0.environment, $0.app, $0.start) < ($1.environment, $1.app, $1.start)
        }
        for index in slots.indices { slots[index].isNumbered = true }
        open = 0
        return numbered
    }
}

extension SQL {
    /// Moves a journal's head, locks it until the commit, and keeps the difference between the real and the provisional
    /// positions in a setting of the transaction: so no round trip lies between the lock and the commit.
    static let numberSlot: SQL = """
        INSERT INTO journal_heads (environment, app, position) VALUES ($1, $2, $3)
        ON CONFLICT (environment, app) DO UPDATE SET position = journal_heads.position + excluded.position
        RETURNING set_config($4, CAST(journal_heads.position - $5 AS TEXT), true)
        """
}

extension ProvisionalPositions.Slot {
    var values: [SQLValue] {
        [.integer(environment), .integer(app), .integer(count), .text(setting), .integer(start + count)]
    }
}
