import Perennial
import PerennialDelivery
import Testing

struct ReceiptVerdictTests {
    private func receipt(_ json: String, from side: StoreEnvironment.Kind = .production) throws -> AuthenticReceipt {
        let verdict = ReceiptVerdict(VerifyReceiptAnswer(httpStatus: 200, body: Array(json.utf8)), from: side)
        guard case .authentic(let receipt) = verdict else {
            Issue.record("\(verdict)")
            throw DeliveryError(.receiptInvalid, "test", "\(verdict)")
        }
        return receipt
    }

    @Test func `an app receipt's purchases are merged with their newest state`() throws {
        let receipt = try receipt(
            """
            {"status":0,"environment":"Sandbox","receipt":{"bundle_id":"com.example.magazine","adam_id":0,"in_app":[
              {"quantity":"4","product_id":"coins","transaction_id":"30","original_transaction_id":"30",
               "purchase_date":"2015-08-13 07:50:46 Etc/GMT","purchase_date_ms":"1439452246000","is_trial_period":"false"},
              {"quantity":"1","product_id":"monthly","transaction_id":"20","original_transaction_id":"10",
               "purchase_date_ms":"1439452200000","expires_date_ms":"1442130600000"}]},
             "latest_receipt_info":[
              {"quantity":"1","product_id":"monthly","transaction_id":"20","original_transaction_id":"10",
               "purchase_date_ms":"1439452200000","expires_date_ms":"1442130600000",
               "cancellation_date":"2015-08-14 00:00:00 Etc/GMT","cancellation_reason":"0"},
              {"quantity":1,"product_id":"monthly","transaction_id":40,"original_transaction_id":10,
               "purchase_date_ms":1442130600000,"expires_date_ms":1444722600000.0}],
             "pending_renewal_info":[{"auto_renew_status":"1"}]}
            """)
        #expect(receipt.environment == .sandbox)
        #expect(receipt.bundleID.rawValue == "com.example.magazine")
        #expect(receipt.purchases.map(\.transactionID.rawValue) == [20, 30, 40])
        #expect(receipt.purchases.map(\.quantity) == [1, 4, 1])
        #expect(receipt.purchases[0].cancellationDate == Instant(rfc3339: "2015-08-14T00:00:00Z"))
        #expect(receipt.purchases[1].expiresDate == nil)
        #expect(receipt.purchases[2].originalTransactionID.rawValue == 10)
        #expect(receipt.purchases[2].expiresDate == Instant(milliseconds: 1_444_722_600_000))
    }

    @Test func `an upgrade is no refund`() throws {
        let receipt = try receipt(
            """
            {"status":0,"receipt":{"bundle_id":"a","in_app":[
              {"product_id":"basic","transaction_id":"1","purchase_date_ms":"1000","expires_date_ms":"9000"}]},
             "latest_receipt_info":[
              {"product_id":"basic","transaction_id":"1","purchase_date_ms":"1000","expires_date_ms":"9000",
               "cancellation_date_ms":"5000","is_upgraded":"true"},
              {"product_id":"filter","transaction_id":"2","purchase_date_ms":"1000","cancellation_date_ms":"5000"}]}
            """)
        #expect(receipt.purchases.map(\.isUpgraded) == [true, false])
        #expect(receipt.purchases.allSatisfy { $0.cancellationDate == Instant(milliseconds: 5000) })
    }

    @Test func `an old transaction receipt is one purchase, with its newest renewal as an object`() throws {
        let receipt = try receipt(
            """
            {"status":0,"auto_renew_status":1,"receipt":{"bid":"com.example.magazine","product_id":"monthly","quantity":"1",
              "transaction_id":"1","original_transaction_id":"1","purchase_date":"2015-08-13 07:50:46 Etc/GMT",
              "expires_date":"1442130646000","expires_date_formatted":"2015-09-13 07:50:46 Etc/GMT"},
             "latest_receipt_info":{"bid":"com.example.magazine","product_id":"monthly","quantity":"1","transaction_id":"2",
              "original_transaction_id":"1","purchase_date_ms":"1442130646000","expires_date":"1444722646000"}}
            """, from: .sandbox)
        #expect(receipt.environment == .sandbox)
        #expect(receipt.purchases.map(\.transactionID.rawValue) == [1, 2])
        #expect(receipt.purchases[0].purchaseDate == Instant(milliseconds: 1_439_452_246_000))
        #expect(receipt.purchases[0].expiresDate == Instant(milliseconds: 1_442_130_646_000))
    }

    @Test func `an expired old receipt is authentic, with its paid periods`() throws {
        let receipt = try receipt(
            """
            {"status":21006,"receipt":{"bid":"com.example.magazine","product_id":"monthly","transaction_id":"1",
              "purchase_date_ms":"1439452246000","expires_date":"1442130646000"},
             "latest_expired_receipt_info":{"product_id":"monthly","transaction_id":"1","purchase_date_ms":"1439452246000",
              "expires_date":"1442130646000","cancellation_date_ms":"1440000000000"}}
            """)
        #expect(receipt.purchases.map(\.cancellationDate) == [Instant(milliseconds: 1_440_000_000_000)])
    }

    /// Fields of an entry, with the numbers of purchases and cancelled ones.
    static let entries: [(entry: String, purchases: Int, cancelled: Int)] = [
        (#""product_id":"a","transaction_id":"1","purchase_date_ms":"1000""#, 1, 0),
        (#""product_id":"a","transaction_id":"1""#, 0, 0),
        (#""product_id":"a","purchase_date_ms":"1000""#, 0, 0),
        (#""transaction_id":"1","purchase_date_ms":"1000""#, 0, 0),
        (#""product_id":"a","transaction_id":"../1","purchase_date_ms":"1000""#, 0, 0),
        (#""product_id":"a","transaction_id":"1","purchase_date_ms":"99999999999999999999""#, 0, 0),
        (#""product_id":"a","transaction_id":"1","purchase_date_ms":"-1""#, 0, 0),
        (#""product_id":"a","transaction_id":"1","purchase_date_ms":"1000","expires_date_ms":"soon""#, 0, 0),
        (#""product_id":"a","transaction_id":"1","purchase_date_ms":"1000","expires_date_ms":null"#, 1, 0),
        (#""product_id":"a","transaction_id":"1","purchase_date_ms":"1000","cancellation_date":"some day""#, 1, 1),
        (#""product_id":"a","transaction_id":"1","purchase_date_ms":"1000","cancellation_date_pst":"x""#, 1, 1),
        (#""product_id":"a","transaction_id":"1","purchase_date_ms":"1000","cancellation_date":null"#, 1, 0),
        (#""product_id":["a"],"transaction_id":"1","purchase_date_ms":"1000""#, 0, 0),
        (#""product_id":"a","transaction_id":"1","purchase_date_ms":1e300"#, 0, 0),
    ]

    @Test(arguments: entries)
    func `an unreadable entry proves nothing, an unreadable cancellation counts`(
        row: (entry: String, purchases: Int, cancelled: Int)
    ) throws {
        let receipt = try receipt(#"{"status":0,"receipt":{"bundle_id":"a","in_app":[{\#(row.entry)}]}}"#)
        #expect(receipt.purchases.count == row.purchases)
        #expect(receipt.purchases.filter { $0.cancellationDate != nil }.count == row.cancelled)
    }

    @Test func `an answer with too many purchases is no answer`() {
        let entry = #"{"product_id":"a","transaction_id":"1","purchase_date_ms":"1000"}"#
        let list = Array(repeating: entry, count: 20_001).joined(separator: ",")
        let json = #"{"status":0,"receipt":{"bundle_id":"a","in_app":[\#(list)]}}"#
        let verdict = ReceiptVerdict(VerifyReceiptAnswer(httpStatus: 200, body: Array(json.utf8)), from: .production)
        guard case .unavailable = verdict else {
            Issue.record("\(verdict)")
            return
        }
    }
}
