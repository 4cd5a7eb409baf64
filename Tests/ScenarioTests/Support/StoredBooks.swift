import PerennialStorage
import Testing

/// The contents of a store's database after its end, and the rules that they must obey whatever happened.
struct StoredBooks {
    struct Sale: Sendable {
        let id: Int64
        let position: Int64
        let price: Int64
        let isFinished: Bool
    }

    struct Entry: Sendable {
        let position: Int64
        let kind: String
        let transactionID: Int64?
    }

    /// The outcome of each idempotency key, by the key's digest; keys are unique in these tests.
    let keys: [[UInt8]: Int64?]
    let sales: [Int64: Sale]
    let journal: [Entry]
    /// Amounts of each entry's postings, by position.
    let postings: [Int64: [Int64]]

    init(_ database: Database) async throws {
        keys = Dictionary(
            uniqueKeysWithValues: try await database.read {
                try $0.query("SELECT key_digest, transaction_id FROM purchase_requests", []) {
                    (try $0.blob(0), try $0.optionalInteger(1))
                }
            })
        let sales = try await database.read {
            try $0.query("SELECT id, journal_position, price, is_finished FROM transactions", []) {
                Sale(
                    id: try $0.integer(0), position: try $0.integer(1), price: try $0.integer(2),
                    isFinished: try $0.bool(3))
            }
        }
        self.sales = Dictionary(uniqueKeysWithValues: sales.map { ($0.id, $0) })
        journal = try await database.read {
            try $0.query("SELECT position, kind, transaction_id FROM journal ORDER BY position", []) {
                Entry(position: try $0.integer(0), kind: try $0.text(1), transactionID: try $0.optionalInteger(2))
            }
        }
        let lines = try await database.read {
            try $0.query("SELECT position, amount FROM postings ORDER BY position, line", []) {
                (try $0.integer(0), try $0.integer(1))
            }
        }
        postings = Dictionary(grouping: lines, by: \.0).mapValues { $0.map(\.1) }
    }

    /// The transaction of a key.
    func sale(forKey key: String) -> Int64? {
        keys[PurchaseRequestsTable.Digest(of: key).bytes] ?? nil
    }

    /// Checks that each sale has its one entry and its balanced money, and each entry its sale.
    func expectInOrder(_ comment: Comment? = nil) {
        #expect(journal.map(\.position) == (0..<journal.count).map { Int64($0 + 1) }, comment)
        let sold = journal.filter { $0.kind == "purchased" || $0.kind == "boughtAgain" }
        #expect(sold.count == sales.count, comment)
        #expect(Set(sold.compactMap(\.transactionID)) == Set(sales.keys), comment)
        for entry in sold {
            let sale = entry.transactionID.flatMap { sales[$0] }
            #expect(sale?.position == entry.position, comment)
            #expect(postings[entry.position]?.first ?? 0 == -(sale?.price ?? 0), comment)
        }
        #expect(postings.values.allSatisfy { $0.reduce(0, +) == 0 }, comment)
        let finished = journal.filter { $0.kind == "finished" }.compactMap(\.transactionID)
        #expect(Set(finished).count == finished.count, comment)
        #expect(Set(finished) == Set(sales.values.filter(\.isFinished).map(\.id)), comment)
        // Each sale belongs to one key.
        let keyed = keys.values.compactMap(\.self)
        #expect(Set(keyed).count == keyed.count, comment)
    }
}
