import Perennial
import PerennialStorage
import Synchronization

/// Numbers for transactions, accounts and order lines, unique in an environment.
///
/// They are taken from the database in blocks, in a transaction of their own, so that selling doesn't contend for a counter
/// and several nodes never give the same number twice. What is left of a block when a process ends is lost: numbers have gaps,
/// as Apple's have.
final class NumberSource: Sendable {
    /// The block is used up: refill, then run the transaction again.
    struct Exhausted: Error {}

    static let blockSize: Int64 = 4096
    /// How often a transaction that runs out of IDs gets a block of twice the size, before it is refused: 524,288 IDs are more
    /// than any use case needs, so that one which takes more takes them without end.
    static let maximumRefills = 8

    private let environment: StoreEnvironment.ID
    private let database: Database
    private let block = Mutex<Range<Int64>>(0..<0)

    init(_ environment: StoreEnvironment.ID, database: Database) {
        self.environment = environment
        self.database = database
    }

    func next() throws -> Int64 {
        try block.withLock { block in
            guard let number = block.first else { throw Exhausted() }
            block = block.dropFirst()
            return number
        }
    }

    /// Takes a new block for a transaction that ran out of IDs and runs again. What is left of the old one is a gap.
    ///
    /// - Parameter attempt: How often the transaction has run out, from 1. Each time the block is twice as large: what needs more
    ///   IDs than a block has is done all the same.
    /// - Throws: `StorageError` `.overloaded` beyond ``maximumRefills``.
    func refill(attempt: Int) async throws {
        guard attempt <= Self.maximumRefills else {
            throw StorageError(
                .overloaded, "numbers",
                "one transaction takes more than \(Self.blockSize << Int64(Self.maximumRefills - 1)) IDs")
        }
        let size = Self.blockSize << Int64(attempt - 1)
        // Another transaction may have been quicker. The first time any ID is enough; after that the last block was not.
        let enough = attempt == 1 ? 1 : size / 2
        guard block.withLock({ Int64($0.count) < enough }) else { return }
        let first = try await database.write { [environment] in
            try EnvironmentsTable.takeIDs(size, environment, on: $0)
        }
        block.withLock { block in
            // Otherwise this block is a gap.
            if Int64(block.count) < enough { block = first..<first + size }
        }
    }
}
