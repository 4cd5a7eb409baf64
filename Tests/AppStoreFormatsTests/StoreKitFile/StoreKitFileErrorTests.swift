import AppStoreFormats
import Foundation
import TestRandomness
import Testing

struct StoreKitFileErrorTests {
    private static func product(_ members: String) -> String { #"{"products": [{\#(members)}]}"# }
    private static func subscription(_ members: String) -> String {
        #"{"subscriptionGroups": [{"subscriptions": [{"productID": "a", \#(members)}]}]}"#
    }
    private static let monthly = #""type": "RecurringSubscription", "recurringSubscriptionPeriod": "P1M""#

    @Test(arguments: [
        ("", "line 1, column 1: expected a value, found the end of the file"),
        ("{\n  \"a\" : 1,\n  }", "line 3, column 3: expected a key in quotes, found '}'"),
        ("{\"a\" 1}", "line 1, column 6: expected ':', found '1'"),
        ("[1 2]", "line 1, column 4: expected ',' or ']', found '2'"),
        ("{} {}", "line 1, column 4: expected the end of the file, found '{'"),
        ("{\"a\": 01}", "line 1, column 8: expected ',' or '}', found '1'"),
        ("{\"a\": tru}", "line 1, column 7: expected a value, found 't'"),
        ("{\"a\": \"\\q\"}", "line 1, column 9: expected an escape that JSON knows, found another"),
        ("{\"a\": \"\\ud800\"}", "line 1, column 10: expected a surrogate pair, found half of one"),
        ("{\"a\": \"b", "line 1, column 7: expected the end of a string, found '\"'"),
        ("{\"a\": 1,\n\"a\": 2}", "line 2, column 1: expected each key once, found 'a' a second time"),
        ("[]", "expected a JSON object, found another value"),
    ])
    func `text that is not a JSON object is refused with its line`(text: String, message: String) {
        #expect(Self.message(of: text) == message)
    }

    @Test(arguments: [
        (product(#""type": "Consumable""#), "products[0]: expected the key productID, found none"),
        (
            product(#""productID": "a\u0000", "type": "Consumable""#),
            #"products[0].productID: expected a string without NUL, found "a\u0000""#
        ),
        (product(#""productID": "a""#), "products[0]: expected the key type, found none"),
        (product(#""productID": null, "type": "Consumable""#), "products[0]: expected the key productID, found none"),
        (
            product(#""productID": "a", "type": "Coupon""#),
            #"products[0].type: expected Consumable, NonConsumable, NonRenewingSubscription, found "Coupon""#
        ),
        (
            product(#""productID": 7, "type": "Consumable""#),
            "products[0].productID: expected a string, found the number 7"
        ),
        (
            product(#""productID": "a", "type": "Consumable", "displayPrice": "1,99""#),
            #"products[0].displayPrice: expected a price such as "4.99", found "1,99""#
        ),
        (
            product(#""productID": "a", "type": "Consumable", "displayPrice": 1.99"#),
            #"products[0].displayPrice: expected a price in quotes such as "4.99", found the number 1.99"#
        ),
        (
            product(#""productID": "a", "type": "Consumable", "familyShareable": "yes""#),
            #"products[0].familyShareable: expected true or false, found "yes""#
        ),
        (#"{"products": {}}"#, "products: expected an array, found an object"),
        (#"{"settings": {"_timeRate": 1.5}}"#, "settings._timeRate: expected a whole number, found the number 1.5"),
        (
            subscription(#""type": "RecurringSubscription""#),
            "subscriptionGroups[0].subscriptions[0]: expected the key recurringSubscriptionPeriod, found none"
        ),
        (
            subscription(#""type": "RecurringSubscription", "recurringSubscriptionPeriod": "1 month""#),
            "subscriptionGroups[0].subscriptions[0].recurringSubscriptionPeriod: "
                + #"expected a period such as "P1M", found "1 month""#
        ),
        (
            subscription(#""type": "Consumable", "recurringSubscriptionPeriod": "P1M""#),
            #"subscriptionGroups[0].subscriptions[0].type: expected RecurringSubscription, found "Consumable""#
        ),
        (
            subscription(monthly + #", "adHocOffers": [{"subscriptionPeriod": "P0D"}]"#),
            "subscriptionGroups[0].subscriptions[0].adHocOffers[0].subscriptionPeriod: "
                + #"expected a period such as "P1M", found "P0D""#
        ),
        (
            #"{"products": [{"productID": "a", "type": "Consumable"}], "#
                + #""nonRenewingSubscriptions": [{"productID": "a", "type": "NonRenewingSubscription"}]}"#,
            #"nonRenewingSubscriptions[0].productID: expected each product ID once, found "a", which is also at products[0]"#
        ),
    ])
    func `a wrong value is refused with its path`(text: String, message: String) {
        #expect(Self.message(of: text) == message)
    }

    @Test func `nesting has a limit`() {
        let text = String(repeating: "[", count: 100_000)
        #expect(Self.message(of: text) == "line 1, column 65: expected at most 64 levels of nesting, found more")
    }

    @Test func `a type that follows from its array may be missing and stays missing`() throws {
        let text = """
            {"nonRenewingSubscriptions": [{"productID": "a"}],
             "subscriptionGroups": [{"subscriptions": [{"productID": "b", "recurringSubscriptionPeriod": "P1M"}]}]}
            """
        let file = try StoreKitFile(parsing: text.utf8)
        #expect(file.warnings.map(\.code) == [.typeAssumed, .typeAssumed])
        #expect(file.subscriptionGroups[0].subscriptions[0].type == "RecurringSubscription")
        #expect(!file.text.contains("type"))
    }

    @Test func `everything but product ID, type and period may be missing or null`() throws {
        let text = """
            {"subscriptionGroups": [{"subscriptions": [{"productID": "a", "introductoryOffer": null, \(Self.monthly)}]}],
             "products": [{"productID": "b", "type": "Consumable", "displayPrice": null, "localizations": null}]}
            """
        let file = try StoreKitFile(parsing: text.utf8)
        #expect(file.warnings.isEmpty)
        #expect(file.version == nil)
        #expect(file.products[0].displayPrice == nil)
        #expect(file.text.contains(#""displayPrice" : null"#))
    }

    /// A thousand mutations of one seed; five thousand of four where there is time: `make test-long`.
    private static let isLong = ProcessInfo.processInfo.environment["PERENNIAL_LONG"] != nil
    private static let seeds: [UInt64] = isLong ? [1, 2, 3, 4] : [1]

    @Test(arguments: seeds)
    func `mutated files never crash the reader, and readable ones are written the same`(seed: UInt64)
        async throws
    {
        var random = SeededGenerator(seed: seed)
        let originals = try StoreKitFixture.allCases.map { try $0.bytes() }
        let syntax = ["{", "}", "[", "]", "\"", ",", ":", "null", "-1e999", "\\ud83d", "\"P99999Y\"", "true", "\u{0}"]
        var readable = 0
        for step in 0..<(Self.isLong ? 5_000 : 1_000) {
            // Other tests wait for answers with a time limit, and there are few threads.
            if step.isMultiple(of: 100) { await Task.yield() }
            let bytes = random.mutated(originals[step % originals.count], syntax: syntax)
            guard let file = try? StoreKitFile(parsing: bytes) else { continue }
            readable += 1
            guard step % 10 == 0 else { continue }
            let again = try? StoreKitFile(parsing: file.text.utf8)
            #expect(again == file, "seed \(seed), step \(step)")
        }
        #expect(readable > 10, "some mutations must stay readable, or the test tests nothing")
    }

    private static func message(of text: String) -> String {
        do {
            return "read as \(try StoreKitFile(parsing: text.utf8))"
        } catch {
            return "\(error)"
        }
    }
}
