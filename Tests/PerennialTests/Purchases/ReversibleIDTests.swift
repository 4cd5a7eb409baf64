import Perennial
import Testing

/// IDs of app transactions and orders, which are computed and not stored.
struct ReversibleIDTests {
    private static let accounts: [Int64] = [
        1, 300_000_000_000_001, 300_000_000_000_002, 2_000_000_000_000_001, 2_000_100_000_000_007,
    ]
    private static let apps: [Int64] = [1, 99, 1_234_567, 6_740_000_001, .max]

    @Test func `an app transaction ID decodes to its account, in its app only`() throws {
        var seen: Set<Int64> = []
        for app in Self.apps {
            for account in Self.accounts.map(Account.ID.init(rawValue:)) {
                let download = AppTransactionID(account: account, app: app)
                #expect(download.account(app: app) == account)
                #expect(download.account(app: app &- 1) != account)
                #expect(seen.insert(download.rawValue).inserted)
                // Eighteen digits, the most in a URL path.
                let id = try #require(TransactionID(download.description))
                #expect(AppTransactionID(id) == download)
            }
        }
    }

    @Test(arguments: [
        0, 7, 300_000_000_000_001, 2_000_000_000_000_001, 699_999_999_999_999_999, 999_999_999_999_999_999,
    ])
    func `a transaction ID is never an app transaction ID`(number: Int64) {
        #expect(AppTransactionID(TransactionID(rawValue: number)) == nil)
    }

    @Test func `an order ID is M and ten digits and decodes to its transaction`() throws {
        var seen: Set<String> = []
        for offset in Array(Int64(0)..<1000) + [100_000_000_000, 1_125_899_906_842_623] {
            let id = TransactionID(rawValue: 300_000_000_000_000 + offset)
            let order = try #require(OrderID(of: id))
            #expect(order.description.wholeMatch(of: /M[0-9A-HJKMNP-TV-Z]{10}/) != nil)
            #expect(OrderID(order.description)?.transactionID == id)
            #expect(OrderID(order.description.lowercased())?.transactionID == id)
            #expect(seen.insert(order.description).inserted)
        }
        #expect(Set(seen.map { $0.dropFirst().first }).count > 8, "orders in a row don't look like it")
    }

    @Test(arguments: ["", "M", "MABC", "XABCDEFGHJK", "MABCDEFGHIJ", "MABCDEFGHJKL", "M ABCDEFGHJ", "MÄÄÄÄÄÄÄÄÄÄ"])
    func `a text of another form is not an order ID`(text: String) {
        #expect(OrderID(text) == nil)
    }

    @Test(arguments: [0, 299_999_999_999_999, 2_000_000_000_000_001, .max])
    func `only Production's transactions are orders`(number: Int64) {
        #expect(OrderID(of: TransactionID(rawValue: number)) == nil)
    }
}
