import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// The statuses of verifyReceipt. PerennialHTTPTests has 21000, which depends on HTTP.
struct StatusTests {
    private let secret = TestCatalog.sharedSecret

    @Test(arguments: Engine.allCases)
    func `an authentic receipt is 0 whatever its purchases' state`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        #expect(try await shop.verify(shop.receipt(of: "nobody"))["status"] == 0)
        let filter = try await shop.buy("filter.amber", as: "ann")
        #expect(try await shop.verify(shop.receipt(of: "ann"))["status"] == 0)
        try await shop.refund(filter)
        #expect(try await shop.verify(shop.receipt(of: "ann"))["status"] == 0)
        let monthly = try await shop.buy("monthly", as: "ann")
        let receipt = try await shop.receipt(of: "ann")
        try await shop.account("ann", payment: .declined)
        try await shop.advance(by: .days(400))
        // 21006 is for the old form of receipt only.
        #expect(try await shop.verify(receipt, password: secret)["status"] == 0)
        try await shop.refund(monthly)
        #expect(try await shop.verify(receipt, password: secret)["status"] == 0)
    }

    static let malformed: [String] = [
        "", " ", "{", "{}", "[]", "null", "12", "\"text\"", "receipt-data=abc", "{\"receipt-data\"", "\u{FEFF}",
        #"{"receipt": "abc"}"#, #"{"Receipt-Data": "MIIB"}"#, #"{"receipt-data": null}"#, #"{"receipt-data": 12}"#,
        #"{"receipt-data": ["MIIB"]}"#, #"{"receipt-data": {}}"#, #"{"receipt-data": ""}"#, #"{"receipt-data": "%%%"}"#,
        #"{"receipt-data": "MII"}"#, #"{"receipt-data": "MIIB MIIB"}"#, #"{"receipt-data": "MIIB\nMIIB"}"#,
        #"{"receipt-data": "MI-_"}"#, #"{"receipt-data": "aGVsbG8gd29ybGQ="}"#, #"{"receipt-data": "MIIB"}"#,
        #"{"receipt-data": "MAA="}"#, #"{"receipt-data": "e30="}"#, #"{"receipt-data": "eyJhIiA9ICJiIjt9"}"#,
        #"{"receipt-data": "MIIB"} trailing"#,
    ]

    @Test(arguments: malformed)
    func `an unreadable receipt is 21002`(body: String) async throws {
        let shop = try await TestStore.make()
        #expect(try await shop.verify(body: Array(body.utf8)) == ["status": 21002])
    }

    @Test func `invalid text and bodies over 3 MiB are 21002`() async throws {
        let shop = try await TestStore.make()
        #expect(try await shop.verify(body: [0xFF, 0xFE, 0x00]) == ["status": 21002])
        let long = #"{"receipt-data": ""# + String(repeating: "MIIB", count: 800_000) + "\"}"
        #expect(try await shop.verify(body: Array(long.utf8)) == ["status": 21002])
        let nested = String(repeating: "[", count: 100_000)
        #expect(try await shop.verify(body: Array((#"{"x": "# + nested).utf8)) == ["status": 21002])
    }

    @Test func `a truncated receipt is 21002`() async throws {
        let shop = try await TestStore.make()
        let sold = try await shop.buy("filter.amber", as: "ann")
        for receipt in [try await shop.receipt(of: "ann"), try await shop.transactionReceipt(of: sold, as: "ann")] {
            for length in stride(from: 1, to: receipt.count - 1, by: receipt.count / 9) {
                #expect(try await shop.verify(Array(receipt.prefix(length))) == ["status": 21002], "\(length)")
            }
        }
    }

    /// Goal: a flipped bit breaks the form or the signature.
    @Test func `a receipt with one bit flipped is refused`() async throws {
        let shop = try await TestStore.make()
        try await shop.buy("filter.amber", as: "ann")
        let receipt = try await shop.receipt(of: "ann")
        var counts: [JSONValue: Int] = [:]
        for sample in 0..<90 {
            let answer = try await shop.verify(flipped(receipt, sample, of: 90))
            #expect([["status": 21002], ["status": 21003]].contains(answer), "byte \(receipt.count * sample / 90)")
            counts[answer, default: 0] += 1
        }
        #expect(counts[["status": 21003]] ?? 0 > 40)
    }

    /// Goal: a flipped bit in the unsigned parts around the old form, such as `pod`, changes nothing; elsewhere it is
    /// refused.
    @Test func `an old receipt with one bit flipped is refused or unchanged`() async throws {
        let shop = try await TestStore.make()
        let sold = try await shop.buy("filter.amber", as: "ann")
        let receipt = try await shop.transactionReceipt(of: sold, as: "ann")
        let untouched = try await shop.verify(receipt)
        var counts: [JSONValue: Int] = [:]
        for sample in 0..<90 {
            let answer = try await shop.verify(flipped(receipt, sample, of: 90))
            #expect([["status": 21002], ["status": 21003], untouched].contains(answer), "sample \(sample)")
            counts[answer, default: 0] += 1
        }
        #expect(counts[untouched] ?? 0 < 6)
    }

    private func flipped(_ bytes: [UInt8], _ sample: Int, of samples: Int) -> [UInt8] {
        var flipped = bytes
        flipped[bytes.count * sample / samples] ^= 1 << (sample % 8)
        return flipped
    }

    @Test func `a flipped bit in the payload or the signature is 21003`() async throws {
        let shop = try await TestStore.make()
        try await shop.buy("filter.amber", as: "ann")
        var receipt = try await shop.receipt(of: "ann")
        let name = try #require(Data(receipt).range(of: Data("filter.amber".utf8)))
        receipt[name.lowerBound] ^= 1
        #expect(try await shop.verify(receipt) == ["status": 21003])
        receipt[name.lowerBound] ^= 1
        receipt[receipt.count - 1] ^= 1
        #expect(try await shop.verify(receipt) == ["status": 21003])
    }

    @Test func `a receipt under another root is 21003`() async throws {
        let shop = try await TestStore.make()
        let forger = try await TestStore.open(
            Engine.sqliteInMemory.makeDatabase(), signing: Signing(TestSigning.foreign))
        let sold = try await forger.buy("filter.amber", as: "ann")
        #expect(try await shop.verify(forger.receipt(of: "ann")) == ["status": 21003])
        #expect(try await shop.verify(forger.transactionReceipt(of: sold, as: "ann")) == ["status": 21003])
    }

    static let passwords: [(password: JSONValue?, status: JSONValue)] = [
        (nil, 21004), ("", 21004), ("wrong", 21004), (12, 21004), (nil, 21004), (.null, 21004),
        (.string(TestCatalog.sharedSecret.uppercased()), 21004), (.string(TestCatalog.sharedSecret + " "), 21004),
        (.string(TestCatalog.sharedSecret), 0),
    ]

    @Test func `receipts with auto-renewables require the shared secret`() async throws {
        let shop = try await TestStore.make()
        let sold = try await shop.buy("monthly", as: "ann")
        for receipt in [try await shop.receipt(of: "ann"), try await shop.transactionReceipt(of: sold, as: "ann")] {
            for (password, status) in Self.passwords {
                var body: [String: JSONValue] = ["receipt-data": .string(Data(receipt).base64EncodedString())]
                body["password"] = password
                let answer = try await shop.verify(body: JSONValue.object(body).encoded)
                #expect(answer["status"] == status, "\(String(describing: password))")
                if status != 0 { #expect(answer == ["status": 21004]) }
            }
        }
    }

    @Test func `other receipts ignore the shared secret`() async throws {
        let shop = try await TestStore.make()
        for product in ["film.roll", "filter.amber", "pass.1week"] {
            let sold = try await shop.buy(product, as: "ann")
            #expect(try await shop.verify(shop.receipt(of: "ann"), password: "wrong")["status"] == 0)
            #expect(try await shop.verify(shop.transactionReceipt(of: sold, as: "ann"))["status"] == 0)
        }
        // In receipts a free subscription counts as renewing.
        try await shop.buy("newsletter", as: "ann")
        #expect(try await shop.verify(shop.receipt(of: "ann")) == ["status": 21004])
    }

    static let failures: [(code: StorageError.Code, status: JSONValue)] = [
        (.busy, 21005), (.connectionLost, 21005), (.overloaded, 21005), (.resources, 21005), (.closed, 21005),
        (.corrupt, 21009), (.wrongType, 21009), (.statement, 21009),
    ]

    @Test(arguments: failures)
    func `a temporary storage failure is 21005, corrupt data 21009`(
        code: StorageError.Code, status: JSONValue
    ) async throws {
        let fault = TestFault()
        let shop = try await TestStore.make(faults: { try fault.reach($0) })
        let ann = try await shop.signIn("ann").customer
        try await shop.buy("monthly", as: "ann")
        let receipt = try await shop.store.receipts.appReceipt(for: ann)
        // verifyReceipt signs and stores the newest receipt: a write that can fail.
        try await shop.buy("film.roll", as: "ann")
        fault.inject(at: .beforeCommit, with: StorageError(code, "test", "struck"))
        #expect(try await shop.verify(receipt, password: secret) == ["status": status])
        #expect(try await shop.verify(receipt, password: secret)["status"] == 0)
    }

    @Test(arguments: [Engine.sqlite, .postgres])
    func `a database that is closed is 21005`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let receipt = try await shop.receipt(of: "ann")
        shop.database.close()
        #expect(try await shop.verify(receipt) == ["status": 21005])
    }

    @Test func `each environment redirects the other's receipts`() async throws {
        let sandbox = try await TestStore.make()
        let production = try await sandbox.environment("Production")
        for (issuer, other, status) in [(sandbox, production, 21007), (production, sandbox, 21008)]
            as [(TestStore, TestStore, JSONValue)]
        {
            let sold = try await issuer.buy("filter.amber", as: "ann")
            for receipt in [
                try await issuer.receipt(of: "ann"), try await issuer.transactionReceipt(of: sold, as: "ann"),
            ] {
                #expect(try await issuer.verify(receipt)["status"] == 0)
                #expect(try await other.verify(receipt) == ["status": status])
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `after a reset the accounts of old receipts are gone: 21010`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let sold = try await shop.buy("filter.amber", as: "ann")
        let receipts = [try await shop.receipt(of: "ann"), try await shop.transactionReceipt(of: sold, as: "ann")]
        try await shop.store.reset()
        for receipt in receipts {
            #expect(
                try await shop.verify(receipt) == ["status": 21010, "environment": "Sandbox", "is_retryable": false])
        }
        // The next account of that name is another one.
        try await shop.buy("filter.amber", as: "ann")
        for receipt in receipts {
            #expect(
                try await shop.verify(receipt) == ["status": 21010, "environment": "Sandbox", "is_retryable": false])
        }
    }

    @Test func `the endpoint accepts receipts of any app`() async throws {
        let shop = try await TestStore.make()
        try await shop.buy("lens", as: "ann", app: TestCatalog.otherBundleID)
        let camera = try await shop.customer("ann", app: TestCatalog.otherBundleID)
        let answer = try await shop.verify(try await shop.store.receipts.appReceipt(for: camera), password: secret)
        #expect(answer["status"] == 0)
        #expect(answer["receipt"]?["bundle_id"] == "com.example.camera")
    }
}
