import Testing

@testable import Perennial

/// The stored record of a subscription.
struct RecordTests {
    @Test func `a subscription of any format version and history is read unchanged`() throws {
        var states: Set<String> = []
        for seed in UInt64(1)...200 {
            var walk = try RandomWalk(seed: seed)
            for _ in 0..<40 {
                try walk.step()
                let subscription = walk.life.subscription
                states.insert("\(subscription.stateName)")
                #expect(try Subscription(document: subscription.document) == subscription, "seed \(seed)")
                // Version 1 had no paid service, which is estimated.
                var old = try Subscription(document: Version1Document.text(of: subscription))
                (old.paidService, old.unpaidTime) = (subscription.paidService, subscription.unpaidTime)
                #expect(old == subscription, "seed \(seed)")
            }
        }
        #expect(states.count == 5, "the walks reach every state: \(states)")
    }

    /// Fails for a property that is added without being encoded, which would be lost.
    @Test func `the record has all properties of a subscription`() throws {
        let subscription = try RandomWalk(seed: 1).life.subscription
        #expect(Mirror(reflecting: subscription).children.count == 18)
        #expect(Mirror(reflecting: Subscription.OfferHistory()).children.count == 4)
        #expect(Mirror(reflecting: subscription.current).children.count == 6)
        #expect(Mirror(reflecting: subscription.current.product).children.count == 5)
        #expect(Mirror(reflecting: subscription.renewal).children.count == 5)
    }

    @Test func `names in every script and with every mark survive encoding`() throws {
        for name in ["", "~", "+1;2:", "5:abc", "Zoë", "読者\n", "🦊;:~+"] {
            var writer = RecordEncoder()
            writer.write(name)
            writer.write(Optional(name))
            writer.write([name, name])
            var reader = RecordDecoder(writer.text)
            #expect(try reader.read() == name)
            #expect(try reader.read() == Optional(name))
            #expect(try reader.read() == [name, name])
            try reader.expectEnd()
        }
    }

    @Test(arguments: [Int64.min, -1, 0, 1, 1_763_708_400_000, .max])
    func `numbers of 64 bits survive encoding`(number: Int64) throws {
        var writer = RecordEncoder()
        writer.write(number)
        var reader = RecordDecoder(writer.text)
        #expect(try reader.read() == number)
    }

    @Test(arguments: [Int64.min, -1001, -1000, -1, 0, 999, 1_763_708_400_000, 1_763_708_400_001, .max])
    func `times survive encoding to the millisecond`(milliseconds: Int64) throws {
        var writer = RecordEncoder()
        writer.write(Instant(milliseconds: milliseconds))
        var reader = RecordDecoder(writer.text)
        #expect(try reader.read() == Instant(milliseconds: milliseconds))
        try reader.expectEnd()
    }

    @Test func `a record is short and grows at renewals as it expects`() throws {
        var life = try Life(billing: BillingPolicy())
        let first = life.subscription.growingDocument
        for period in 2...13 {
            try life.happen(.charged(period: period), at: #require(life.subscription.nextDue))
            let (text, _) = life.subscription.growingDocument
            #expect(try Subscription(document: text) == life.subscription)
            #expect(try Subscription(document: text.dropLast() + "     .") == life.subscription)
            let room = first.text.utf8.count + first.expectedGrowth
            // The period before is there from the second one on; numbers get a digit now and then.
            #expect(text.utf8.count <= room + (period == 2 ? 4 : 16), "\(period): \(first) then \(text)")
        }
        #expect(first.text.utf8.count < 200, "\(first.text)")
        #expect(first.expectedGrowth > 0)
    }

    @Test func `a product is encoded once for all its periods`() throws {
        var life = try Life()
        try life.advance(to: Life.start + .days(100))
        let name = life.subscription.product.id.rawValue
        #expect(life.subscription.document.ranges(of: name).count == 1)
    }

    @Test func `a truncated or changed record is an error or a value, never a crash`() throws {
        let document = try RandomWalk(seed: 7).life.subscription.document
        let bytes = Array(document.utf8)
        for end in 0..<bytes.count {
            let cut = String(decoding: bytes[..<end], as: UTF8.self)
            #expect(throws: RecordDecodingError.self) { try Subscription(document: cut) }
        }
        for index in bytes.indices {
            for byte in [UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "~"), UInt8(ascii: ":")] {
                var changed = bytes
                changed[index] = byte
                _ = try? Subscription(document: String(decoding: changed, as: UTF8.self))
            }
        }
    }

    @Test func `a record of an unknown version is refused`() throws {
        let document = try RandomWalk(seed: 7).life.subscription.document
        for version in ["0", "4", "9"] {
            #expect(throws: RecordDecodingError.self) { try Subscription(document: version + document.dropFirst()) }
        }
        for version in ["1", "2"] {
            #expect(throws: RecordDecodingError.self) { try Subscription(document: version + document.dropFirst()) }
        }
    }

    /// Written by the version of 21 November 2026, 12:41.
    @Test func `a record of version 1 is decoded`() throws {
        let subscription = try Subscription(
            document: "1;2000000000000006;2000000000000001;8:5E0A71C29:PURCHASED1768471200000;3:USA~2;2000000000000015;"
                + "7:monthly2;1;1:M3990;3:USD0;1768471380000;3990;3:USD~+1;2000000000000006;7:monthly2;1;1:M3990;3:USD0;"
                + "1768471200000;0;3:USD+1;~9:freeTrial1;1:W1;0;3:USD0;1768471200000;0;6:active1768471680000;"
                + "1768471680000;1;7:monthly3990;3:USD~~1;1;~1768471200000;1;30;0;~1768471200000;")
        #expect(subscription.id == TransactionID(rawValue: 2_000_000_000_000_006))
        #expect(subscription.product.id.rawValue == "monthly")
        #expect(subscription.renewal.isOn)
        #expect(
            subscription.state
                == .active(
                    until: Instant(milliseconds: 1_768_471_680_000), chargeAt: Instant(milliseconds: 1_768_471_680_000))
        )
        #expect(subscription.previous?.offer?.terms.paymentMode == .freeTrial)
        // It is written again in the current version.
        #expect(subscription.document.hasPrefix("3;"))
    }
}
