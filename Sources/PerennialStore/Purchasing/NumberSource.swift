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

    func refill() async throws {
        guard block.withLock({ $0.isEmpty }) else { return }
        let first = try await database.write { [environment] in
            try EnvironmentsTable.takeIDs(Self.blockSize, environment, on: $0)
        }
        block.withLock { block in
            // Somebody may have been quicker; then this block is a gap.
            if block.isEmpty { block = first..<first + Self.blockSize }
        }
    }
}
