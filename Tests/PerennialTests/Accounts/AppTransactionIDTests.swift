import Perennial
import Testing

struct AppTransactionIDTests {
    @Test(arguments: [Int64(0), 1, 2_000_000_000_000_001, 300_000_000_000_001, 99_999_999_999_999_999])
    func `it leads back to the account, in its app only`(account: Int64) throws {
        let id = AppTransactionID(app: 1_600_000_001, account: Account.ID(rawValue: account))
        #expect(id.description.count == 18)
        let read = try #require(AppTransactionID(id.description))
        #expect(read.account(app: 1_600_000_001).rawValue == account)
        #expect(read.account(app: 1_600_000_002).rawValue != account)
        #expect(AppTransactionID(app: 1_600_000_002, account: Account.ID(rawValue: account)) != id)
    }

    @Test(arguments: ["", "7", "600000000000000000", "800000000000000000", "7000000000000000000", "70000000000000000x"])
    func `other texts are none`(text: String) {
        #expect(AppTransactionID(text) == nil)
    }
}
