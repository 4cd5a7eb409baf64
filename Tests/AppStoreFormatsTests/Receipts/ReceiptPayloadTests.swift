import Foundation
import Testing

@testable import AppStoreFormats

struct ReceiptPayloadTests {
    private func attributes(_ set: TestDER) -> [(type: Int64, version: Int64, value: TestDER)] {
        set.children.map { ($0.children[0].number, $0.children[1].number, $0.children[2]) }
    }

    private func payload(_ receipt: AppReceipt) throws -> TestDER {
        try #require(TestDER.elements(receipt.encodedPayload()[...])?.first)
    }

    @Test func `every attribute survives a round trip`() throws {
        let read = try AppReceipt(payload: SampleReceipts.full.encodedPayload())
        #expect(SampleReceipts.sorted(read) == SampleReceipts.sorted(SampleReceipts.full))
    }

    @Test func `a receipt without purchases survives a round trip`() throws {
        #expect(try AppReceipt(payload: SampleReceipts.small.encodedPayload()) == SampleReceipts.small)
    }

    @Test(arguments: [0, 1, 127, 128, 255, 256, 32767, 32768, -1, -128, -129, Int64.max, Int64.min])
    func `integers of every width survive a round trip`(number: Int64) throws {
        var receipt = SampleReceipts.small
        receipt.appItemID = number
        #expect(try AppReceipt(payload: receipt.encodedPayload()).appItemID == number)
    }

    @Test(arguments: [0, 1, 100, 127, 128, 255, 256, 70_000])
    func `texts of every length survive a round trip`(length: Int) throws {
        var receipt = SampleReceipts.small
        receipt.applicationVersion = String(repeating: "x", count: length)
        #expect(try AppReceipt(payload: receipt.encodedPayload()).applicationVersion == receipt.applicationVersion)
    }

    @Test(arguments: [-.infinity, -1e300, -1e12, 1e12, 1e300, .infinity, .nan])
    func `a date beyond the calendar doesn't crash the encoder`(seconds: Double) throws {
        var receipt = SampleReceipts.small
        receipt.originalPurchaseDate = Date(timeIntervalSince1970: seconds)
        #expect(try AppReceipt(payload: receipt.encodedPayload()).bundleID == receipt.bundleID)
    }

    /// DER sorts the elements of a SET OF by their encodings (X.690, 11.6).
    @Test func `both levels are in the order of DER`() throws {
        let outer = try payload(SampleReceipts.receipt(purchases: 30))
        let inner = attributes(outer).filter { $0.type == 17 }.compactMap { TestDER.elements($0.value.content)?.first }
        #expect(inner.count == 30)
        for set in [outer] + inner {
            #expect(set.tag == 0x31)
            let elements = set.children.map(\.encoding)
            let sorted = elements.sorted { $0.lexicographicallyPrecedes($1) }
            #expect(elements == sorted)
        }
    }

    /// Attribute, tag of what its value wraps, and the value where genuine receipts always show the same.
    @Test(
        arguments: [
            (0, 0x0C, nil), (1, 0x02, nil), (2, 0x0C, nil), (3, 0x0C, nil), (8, 0x16, ""), (9, 0x02, "P305"),
            (10, 0x16, nil),
            (11, 0x02, "\0"), (12, 0x16, nil), (13, 0x02, nil), (14, 0x02, nil), (15, 0x02, nil), (16, 0x02, nil),
            (17, 0x31, nil), (18, 0x16, nil), (19, 0x0C, nil), (20, 0x0C, ""), (21, 0x16, nil), (25, 0x02, "\u{3}"),
            (32, 0x16, nil),
        ] as [(Int64, UInt8, String?)])
    func `app attributes have their encodings`(type: Int64, tag: UInt8, content: String?) throws {
        let attribute = try #require(attributes(try payload(SampleReceipts.full)).first { $0.type == type })
        let value = try #require(TestDER.elements(attribute.value.content))
        #expect(attribute.version == 1)
        #expect(value.count == 1)
        #expect(value[0].tag == tag)
        if let content { #expect(Array(value[0].content) == Array(content.utf8)) }
    }

    @Test(arguments: [4, 5, 6, 7] as [Int64])
    func `opaque attributes are raw, and the opaque value has version 2`(type: Int64) throws {
        let receipt = SampleReceipts.full
        let values = [
            4: receipt.opaqueValue, 5: receipt.deviceHash, 6: receipt.opaqueAttribute6, 7: receipt.opaqueAttribute7,
        ]
        let attribute = try #require(attributes(try payload(receipt)).first { $0.type == type })
        #expect(attribute.version == (type == 4 ? 2 : 1))
        #expect(Array(attribute.value.content) == values[Int(type)])
    }

    @Test(
        arguments: [
            (1701, 0x02, nil), (1702, 0x0C, nil), (1703, 0x0C, nil), (1704, 0x16, nil), (1705, 0x0C, nil),
            (1706, 0x16, nil),
            (1707, 0x02, "\u{1}"), (1708, 0x16, ""), (1709, 0x0C, ""), (1710, 0x02, "\0"), (1711, 0x02, "\0"),
            (1712, 0x16, ""), (1713, 0x02, "\0"), (1714, 0x0C, ""), (1715, 0x0C, ""), (1716, 0x0C, ""),
            (1717, 0x0C, ""),
            (1718, 0x0C, ""), (1719, 0x02, "\0"), (1722, 0x02, "\0"),
        ] as [(Int64, UInt8, String?)])
    func `attributes of a consumable have their encodings`(type: Int64, tag: UInt8, content: String?) throws {
        var receipt = SampleReceipts.small
        receipt.purchases = [SampleReceipts.consumable]
        let purchase = try #require(attributes(try payload(receipt)).first { $0.type == 17 })
        let set = try #require(TestDER.elements(purchase.value.content)?.first)
        let attribute = try #require(attributes(set).first { $0.type == type })
        let value = try #require(TestDER.elements(attribute.value.content))
        #expect(attribute.version == 1)
        #expect(value.map(\.tag) == [tag])
        if let content { #expect(Array(value[0].content) == Array(content.utf8)) }
        #expect(attributes(set).count == 20, "1720 and 1721 are there only where they say something")
    }

    @Test func `dates have whole seconds`() throws {
        var receipt = SampleReceipts.small
        receipt.creationDate = Date(timeIntervalSince1970: 1_439_452_246.789)
        let attribute = try #require(attributes(try payload(receipt)).first { $0.type == 12 })
        let text = String(decoding: attribute.value.content.dropFirst(2), as: UTF8.self)
        #expect(text == "2015-08-13T07:50:46Z")
    }

    // MARK: - Reading what others write

    /// SET { attributes }, built by hand.
    private func set(_ attributes: [(type: Int64, value: [UInt8])]) -> [UInt8] {
        let sequences = attributes.map { attribute in
            var content = [UInt8]()
            content.appendDER(integer: attribute.type)
            content.appendDER(integer: 1)
            content.appendDER(.octetString, attribute.value)
            return [UInt8].der(.sequence, content)
        }
        return .der(.set, Array(sequences.joined()))
    }

    private func text(_ tag: DERTag, _ text: String) -> [UInt8] { .der(tag, Array(text.utf8)) }

    /// The attributes of every receipt, sorted by type as in Xcode's receipts, not by bytes as DER asks.
    private var minimum: [(type: Int64, value: [UInt8])] {
        [
            (0, text(.utf8String, "Xcode")), (2, text(.utf8String, "com.example")), (3, text(.utf8String, "1")),
            (12, text(.ia5String, "2026-01-02T03:04:05Z")),
        ]
    }

    @Test func `sets need not be sorted, and unknown attributes are skipped`() throws {
        let bytes = set([(99_999, [0xFF, 0xFF])] + minimum.reversed())
        let receipt = try AppReceipt(payload: bytes)
        #expect(receipt.bundleID == "com.example")
        #expect(receipt.creationDate == Date(timeIntervalSince1970: 1_767_323_045))
    }

    @Test func `a purchase of Xcode is its own original`() throws {
        let purchase = set([
            (1701, [2, 1, 1]), (1702, text(.utf8String, "coins")), (1703, text(.utf8String, "0")),
            (1704, text(.ia5String, "2026-01-02T03:04:05Z")),
        ])
        let receipt = try AppReceipt(payload: set(minimum + [(17, purchase)]))
        #expect(receipt.purchases.first?.originalTransactionID == "0")
        #expect(receipt.purchases.first?.originalPurchaseDate == receipt.purchases.first?.purchaseDate)
    }

    @Test(arguments: [0, 2, 3, 12] as [Int64])
    func `a receipt without a name, a version or a date is malformed`(type: Int64) {
        let bytes = set(minimum.filter { $0.type != type })
        #expect(throws: ReceiptError(.malformedPayload, subject: "", reason: "")) { try AppReceipt(payload: bytes) }
    }

    @Test func `wrong values are malformed`() {
        let wrong: [(type: Int64, value: [UInt8])] = [
            (1, text(.utf8String, "1")), (1, [2, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9]), (1, [2, 0]), (2, [0x0C, 1, 0xFF]),
            (2, [2, 1, 1]), (12, text(.ia5String, "yesterday")), (12, text(.ia5String, "")), (17, [0x30, 0]), (17, []),
            (18, text(.ia5String, "2026-02-30T00:00:00Z")), (1, [2, 1, 1, 0]),
        ]
        for attribute in wrong {
            let bytes = set(minimum.filter { $0.type != attribute.type } + [attribute])
            #expect(throws: ReceiptError(.malformedPayload, subject: "", reason: ""), "\(attribute)") {
                try AppReceipt(payload: bytes)
            }
        }
    }

    @Test func `sizes and counts are bounded`() {
        let tooLarge = [UInt8](repeating: 0x31, count: AppReceipt.maximumSize + 1)
        #expect(throws: ReceiptError(.tooLarge, subject: "", reason: "")) { try AppReceipt(payload: tooLarge) }
        let attributes = (0...AppReceipt.maximumAttributes).map { (type: Int64(5000 + $0), value: [UInt8]()) }
        #expect(throws: ReceiptError(.malformedPayload, subject: "", reason: "")) {
            try AppReceipt(payload: set(minimum + attributes))
        }
    }

    // MARK: - The device hash

    /// Computed with Python's hashlib over device ‖ opaque value ‖ 0C 0B "com.example".
    @Test func `the device hash covers the tag and length of the bundle identifier`() {
        let hash = AppReceipt.deviceHash(
            deviceIdentifier: (0..<16).map { UInt8($0) }, opaqueValue: (16..<32).map { UInt8($0) },
            bundleID: "com.example")
        #expect(hash.map { String(format: "%02x", $0) }.joined() == "fc968729c9792352cc8c4d2172ce996a29c39788")
    }

    @Test func `a receipt belongs to its device and to no other`() throws {
        let receipt = try AppReceipt(payload: SampleReceipts.small.encodedPayload())
        #expect(receipt.belongs(toDevice: Array(repeating: 7, count: 16)))
        #expect(!receipt.belongs(toDevice: Array(repeating: 8, count: 16)))
    }

    @Test func `the bundle identifier keeps the bytes it had`() throws {
        // BER would allow a longer length; DER does not, but an IA5String is read as well.
        let receipt = try AppReceipt(
            payload: set(minimum.filter { $0.type != 2 } + [(2, text(.ia5String, "com.example"))]))
        #expect(receipt.encodedBundleID == text(.ia5String, "com.example"))
        var changed = receipt
        changed.bundleID = "com.other"
        #expect(changed.encodedBundleID == text(.utf8String, "com.other"))
    }
}
