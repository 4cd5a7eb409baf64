import AppStoreFormats
import Testing

/// Bodies of consumption information: each wrong field has its number.
struct ConsumptionRequestTests {
    static let second = [
        "customerConsented": "true", "sampleContentProvided": "false", "deliveryStatus": "\"DELIVERED\"",
        "refundPreference": "\"GRANT_PRORATED\"", "consumptionPercentage": "25000",
    ]

    static let wrongInSecond: [WrongField] =
        [
            .init("customerConsented", "false", 4_000_035), .init("customerConsented", nil, 4_000_035),
            .init("customerConsented", "1", 4_000_035), .init("customerConsented", "\"true\"", 4_000_035),
            .init("sampleContentProvided", nil, 4_000_041), .init("sampleContentProvided", "0", 4_000_041),
            .init("deliveryStatus", nil, 4_000_036), .init("deliveryStatus", "0", 4_000_036),
            .init("deliveryStatus", "\"delivered\"", 4_000_036),
            .init("refundPreference", nil, nil), .init("refundPreference", "\"DECLINE\"", nil),
            .init("refundPreference", "1", 4_000_044), .init("refundPreference", "\"GRANT\"", 4_000_044),
            .init("consumptionPercentage", nil, nil), .init("consumptionPercentage", "0", nil),
            .init("consumptionPercentage", "100000", nil), .init("consumptionPercentage", "100001", 4_000_207),
            .init("consumptionPercentage", "-1", 4_000_207), .init("consumptionPercentage", "0.5", 4_000_207),
            .init("consumptionPercentage", "\"1\"", 4_000_207),
            // An undelivered product is not consumed.
            .init("deliveryStatus", "\"UNDELIVERED_OTHER\"", 4_000_208),
        ]

    @Test(arguments: wrongInSecond)
    func `each field of version 2 has its own number`(wrong: WrongField) {
        #expect(wrong.outcome(Self.second) { _ = try ConsumptionRequest(parsing: $0) } == wrong.code)
    }

    static let rules: [(percentage: String?, preference: String?, isAutoRenewable: Bool, code: Int64?)] = [
        ("25000", "\"GRANT_PRORATED\"", false, nil), (nil, "\"GRANT_PRORATED\"", false, 4_000_207),
        ("0", "\"GRANT_PRORATED\"", false, 4_000_207), ("100000", "\"GRANT_PRORATED\"", false, 4_000_207),
        ("100000", "\"GRANT_FULL\"", false, nil), (nil, nil, false, nil), (nil, "\"GRANT_PRORATED\"", true, nil),
        ("25000", "\"GRANT_PRORATED\"", true, 4_000_209), ("0", nil, true, 4_000_209),
    ]

    @Test(arguments: rules)
    func `a percentage goes with the kind of purchase`(
        rule: (percentage: String?, preference: String?, isAutoRenewable: Bool, code: Int64?)
    ) {
        var valid = Self.second
        valid["refundPreference"] = rule.preference
        let outcome = WrongField("consumptionPercentage", rule.percentage, nil).outcome(valid) {
            try ConsumptionRequest(parsing: $0).check(isAutoRenewable: rule.isAutoRenewable)
        }
        #expect(outcome == rule.code)
    }

    static let first = [
        "customerConsented": "true", "sampleContentProvided": "false", "appAccountToken": "\"\"",
        "accountTenure": "0", "consumptionStatus": "0", "deliveryStatus": "0", "lifetimeDollarsPurchased": "0",
        "lifetimeDollarsRefunded": "0", "platform": "0", "playTime": "0", "userStatus": "0", "refundPreference": "0",
    ]

    /// Field, highest value, number.
    static let scales: [(field: String, highest: Int, code: Int64)] = [
        ("accountTenure", 7, 4_000_032), ("consumptionStatus", 3, 4_000_034), ("deliveryStatus", 5, 4_000_036),
        ("lifetimeDollarsPurchased", 7, 4_000_037), ("lifetimeDollarsRefunded", 7, 4_000_038),
        ("platform", 2, 4_000_039), ("playTime", 7, 4_000_040), ("userStatus", 4, 4_000_042),
        ("refundPreference", 3, 4_000_044),
    ]

    @Test(arguments: scales)
    func `each scale of version 1 has its ends and its number`(scale: (field: String, highest: Int, code: Int64)) {
        func outcome(_ value: String?) -> Int64? {
            WrongField(scale.field, value, nil).outcome(Self.first) { _ = try ConsumptionRequestV1(parsing: $0) }
        }
        #expect(outcome("0") == nil)
        #expect(outcome("\(scale.highest)") == nil)
        for value in ["\(scale.highest + 1)", "-1", "\"0\"", "0.5", "true"] {
            #expect(outcome(value) == scale.code, "\(value)")
        }
        #expect(outcome(nil) == (scale.field == "refundPreference" ? nil : scale.code))
    }

    static let wrongInFirst: [WrongField] = [
        .init("customerConsented", "false", 4_000_035), .init("sampleContentProvided", nil, 4_000_041),
        .init("appAccountToken", "\"7389a31a-fb6d-4569-a2a6-db7d85d84813\"", nil),
        .init("appAccountToken", "\"ann\"", 4_000_033), .init("appAccountToken", nil, 4_000_033),
        .init("appAccountToken", "null", 4_000_033),
    ]

    @Test(arguments: wrongInFirst)
    func `version 1 wants consent, a sample and a token`(wrong: WrongField) {
        #expect(wrong.outcome(Self.first) { _ = try ConsumptionRequestV1(parsing: $0) } == wrong.code)
    }
}
