import Foundation
import Perennial
import PerennialDelivery
import TestSupport
import Testing

/// Extreme numbers in a store's answer, which is untrusted input.
struct ExtremeAnswerTests {
    private static let purchase: JSONValue = [
        "product_id": "single.1", "transaction_id": "1000000001", "original_transaction_id": "1000000001",
        "quantity": "1", "purchase_date_ms": "1767225600000", "original_purchase_date_ms": "1767225600000",
        "purchase_date": "2026-01-01 00:00:00 Etc/GMT", "is_trial_period": "false",
    ]

    private static func merged(_ changes: [String: JSONValue]) -> JSONValue {
        .object((purchase.members ?? [:]).merging(changes) { $1 })
    }

    static let answers: [JSONValue] = [
        [
            "status": 0, "environment": "Sandbox",
            "receipt": [
                "bundle_id": "com.example.magazine", "app_item_id": 1, "receipt_creation_date_ms": "1767225600000",
                "in_app": [
                    purchase,
                    merged(["product_id": "pass.1month", "transaction_id": "1000000002"]),
                    merged([
                        "product_id": "monthly", "transaction_id": "1000000003", "expires_date_ms": "1769904000000",
                        "cancellation_date_ms": "1768000000000",
                    ]),
                ],
            ],
            "latest_receipt_info": [merged(["product_id": "monthly", "expires_date_ms": 1_769_904_000_000])],
        ],
        // The old form: one purchase, its times in milliseconds under other names.
        [
            "status": 0,
            "receipt": [
                "bid": "com.example.magazine", "product_id": "monthly", "transaction_id": "1000000004",
                "original_transaction_id": "1000000004", "quantity": 1, "purchase_date_ms": 1_767_225_600_000,
                "expires_date": 1_769_904_000_000, "item_id": 7, "is_retryable": false,
            ],
        ],
    ]

    @Test(arguments: answers)
    func `an answer with any number is refused or read`(answer: JSONValue) async throws {
        var fixture = try DeliveryFixture()
        var grants = 0
        for (number, variant) in try answer.extremes.enumerated() {
            let (words, text) = (variant.words, variant.text)
            // Its tokens repeat after 255.
            if number % 60 == 0 { fixture = try DeliveryFixture() }
            let store = ScriptedStore([.answer(text)])
            let verification = ReceiptVerification(
                target: .apple, endpoint: store, dependencies: RecordedPacing().dependencies, logger: quietLogger)
            let verified: AuthenticReceipt
            do {
                verified = try await verification.verify(receipt: "cmVjZWlwdA==", password: nil)
            } catch is DeliveryError {
                continue
            }
            fixture.store.receipts.value["receipt"] = verified
            do {
                _ = try await fixture.grant("receipt")
                grants += 1
            } catch let error as DeliveryError {
                #expect(error.code != .storeUnavailable, "\(words)")
            }
            do {
                let customer = try await fixture.customer("ann")
                _ = try await fixture.grant("receipt", customer)
                _ = try await fixture.delivery.terms(customerToken: customer)
            } catch is DeliveryError {}
        }
        #expect(grants > 20)
    }
}
