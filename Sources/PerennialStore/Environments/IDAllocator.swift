import Perennial
import PerennialStorage
import Synchronization

/// Allocates IDs for transactions, accounts and order lines, unique in an environment.
///
/// Takes them from the database in blocks, in a transaction of its own. So purchases don't contend for a counter, and
/// nodes never allocate the same ID. The rest of a block is lost when the process ends: IDs have gaps, as Apple's have.
final class IDAllocator: Sendable {
    /// A block of IDs.
    private struct Block {
        var ids: Range<Int64>
        /// The era in which it was taken (`Database.era`). In a later one the database may give its IDs to another node.
        var era: Int64
        /// The end of all blocks until now.
        var end: Int64
    }

    /// The block is used up. Refill it, then run the transaction again.
    struct BlockExhausted: Error {}

    /// An ID was allocated in another era than that of the transaction (`Database.era`). Allocate another one.
    struct EraChanged: Error {}

    /// The IDs that are skipped by the first block of a later era: the database may have lost blocks of other nodes, of which this
    /// one knows nothing. More than a store allocates in the time that most failovers and archives lose.
    static let eraGap: Int64 = 1_000_000

    static let blockSize: Int64 = 4096
    /// The most blocks that one transaction gets, each twice the size of the one before. 524,288 IDs are more than any use
    /// case needs: a transaction that takes more would never end.
    static let maximumRefills = 8

    private let environment: StoreEnvironment.ID
    private let database: Database
    private let blockSize: Int64
    private let maximumRefills: Int
    private let block = Mutex(Block(ids: 0..<0, era: 0, end: 0))

    init(_ environment: StoreEnvironment.ID, database: Database, _ limits: WorkLimits) {
        self.environment = environment
        self.database = database
        blockSize = limits.idBlockSize
        maximumRefills = limits.maximumRefills
    }

    /// Returns an ID and the era in which it was allocated, for a transaction that hasn't begun.
    func nextWithEra() throws -> (id: Int64, era: Int64) {
        // The era first: an ID of a later one isn't used then.
        let era = database.era
        return (try next(), era)
    }

    func next() throws -> Int64 {
        try block.withLock { block in
            guard let number = block.ids.first, block.era == database.era else { throw BlockExhausted() }
            block.ids = block.ids.dropFirst()
            return number
        }
    }

    /// Takes a new block for a transaction that ran out of IDs and runs again. The rest of the old block is lost.
    ///
    /// - Parameter attempt: How often the transaction has run out, from 1. Each block is twice the size of the one before,
    ///   so that a transaction may need more IDs than a block has.
    /// - Throws: `StorageError` `.overloaded` beyond ``maximumRefills``.
    func refill(attempt: Int) async throws {
        guard attempt <= maximumRefills else {
            throw StorageError(
                .overloaded, "numbers",
                "one transaction takes more than \(blockSize << Int64(maximumRefills - 1)) IDs")
        }
        let size = blockSize << Int64(attempt - 1)
        // A concurrent transaction may have refilled it. The first time any ID is enough; after that the last block was too
        // small.
        let enough = attempt == 1 ? 1 : size / 2
        let era = database.era
        let known = block.withLock { $0 }
        guard known.era != era || Int64(known.ids.count) < enough else { return }
        let (first, taken) = try await database.write { [environment] connection in
            let era = connection.era
            // IDs of before were given to customers, also if the database has lost that.
            let gap = era == known.era ? 0 : Self.eraGap
            let start = try EnvironmentsTable.takeIDs(gap + size, environment, from: known.end, on: connection)
            return (start + gap, era)
        }
        block.withLock { block in
            // Otherwise this block is lost.
            guard block.era != taken || Int64(block.ids.count) < enough else { return }
            block = Block(ids: first..<first + size, era: taken, end: max(block.end, first + size))
        }
    }
}
