import BaseEncoding
import Perennial

/// The ID of a price point: `{"s":"7000000101","t":"USA","p":"10010"}` in base64url, with the members in this order.
///
/// Clients read the territory out of it. A price of the catalog between two price points has a point of its own, whose
/// number is `x` and its milliunits.
struct PricePointID: Hashable, Sendable {
    /// The Apple ID of the product or app.
    let owner: Int64
    let storefront: Storefront
    let price: Money

    /// The number of the point without a price, that of a free app.
    private static let free = "10000"

    init(owner: Int64, storefront: Storefront, price: Money) {
        (self.owner, self.storefront, self.price) = (owner, storefront, price)
    }

    /// - Returns: `nil` for a text that isn't an ID, or is written otherwise.
    init?(_ text: String) {
        guard let bytes = Base64.decode(text, as: .url) else { return nil }
        var parser = PriceIDParser(bytes)
        guard let id = parser.point(), parser.skip("}"), parser.isAtEnd else { return nil }
        self = id
    }

    var text: String { Base64.encode(Array("\(json)}".utf8), as: .url) }

    /// The members, without the closing brace.
    fileprivate var json: String {
        "{\"s\":\"\(owner)\",\"t\":\"\(storefront.rawValue)\",\"p\":\"\(Self.number(of: price))\""
    }

    /// True if the App Store has the point.
    var isOnGrid: Bool { price.milliunits > 0 && PricePoint.point(of: price) != nil }

    static func number(of price: Money) -> String {
        if price.milliunits == 0 { return free }
        return PricePoint.point(of: price).map { String($0.number) } ?? "x\(price.milliunits)"
    }

    fileprivate static func price(_ number: String, in currency: Currency) -> Money? {
        if number == free { return .zero(currency) }
        if number.hasPrefix("x") {
            guard let milliunits = Int64(number.dropFirst()), (0...PriceList.maximumPrice).contains(milliunits) else {
                return nil
            }
            let price = Money(milliunits: milliunits, currency)
            return milliunits % currency.smallestAmount == 0 && Self.number(of: price) == number ? price : nil
        }
        return Int(number).flatMap { PricePoint.point($0, in: currency)?.price }
    }
}

/// The ID of a price: that of its point with the seconds since 1970 of its start and end, 0 without one.
///
/// A price of the monthly plan has `"plan":"MONTHLY"` at the end.
struct PriceRowID: Hashable, Sendable {
    let point: PricePointID
    let start: Instant?
    let end: Instant?
    let plan: SubscriptionPlanType

    init(_ point: PricePointID, start: Instant?, end: Instant?, plan: SubscriptionPlanType = .upfront) {
        (self.point, self.start, self.end, self.plan) = (point, start, end, plan)
    }

    /// - Returns: `nil` for a text that isn't an ID, or is written otherwise.
    init?(_ text: String) {
        guard let bytes = Base64.decode(text, as: .url) else { return nil }
        var parser = PriceIDParser(bytes)
        guard let point = parser.point(), parser.skip(",\"sd\":"), let start = parser.seconds(),
            parser.skip(",\"ed\":"), let end = parser.seconds()
        else { return nil }
        (self.point, self.start, self.end) = (point, start.instant, end.instant)
        plan = parser.skip(",\"plan\":\"MONTHLY\"") ? .monthly : .upfront
        guard parser.skip("}"), parser.isAtEnd, self.text == text else { return nil }
    }

    var text: String {
        let plan = plan == .monthly ? ",\"plan\":\"MONTHLY\"" : ""
        let json = "\(point.json),\"sd\":\(Self.seconds(start)),\"ed\":\(Self.seconds(end))\(plan)}"
        return Base64.encode(Array(json.utf8), as: .url)
    }

    private static func seconds(_ instant: Instant?) -> String {
        instant.map { "\($0.milliseconds / 1000).000000000" } ?? "0.0"
    }
}

/// Reads the members of price IDs in their fixed order.
private struct PriceIDParser {
    struct Seconds { var instant: Instant? }

    private static let maximumLength = 300
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes.prefix(Self.maximumLength)
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ literal: StaticString) -> Bool {
        let isHere = literal.withUTF8Buffer { rest.starts(with: $0) }
        if isHere { rest.removeFirst(literal.utf8CodeUnitCount) }
        return isHere
    }

    private mutating func text() -> String? {
        guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        defer { rest = rest[(end + 1)...] }
        return String(decoding: rest[..<end], as: UTF8.self)
    }

    mutating func point() -> PricePointID? {
        guard skip("{\"s\":\""), let owner = text().flatMap({ Int64(connectID: $0) }), skip(",\"t\":\""),
            let storefront = text().flatMap({ Storefront(connectID: $0) }), let currency = storefront.currency,
            skip(",\"p\":\""), let number = text(), let price = PricePointID.price(number, in: currency),
            PricePointID.number(of: price) == number
        else { return nil }
        return PricePointID(owner: owner, storefront: storefront, price: price)
    }

    /// Reads `0.0`, or whole seconds with nine zeros after the point.
    mutating func seconds() -> Seconds? {
        if skip("0.0") {
            // Zeros of a longer form are of another ID.
            return rest.first == UInt8(ascii: "0") ? nil : Seconds(instant: nil)
        }
        let end = rest.firstIndex { !(48...57).contains($0) && $0 != UInt8(ascii: "-") } ?? rest.endIndex
        guard let number = Int64(String(decoding: rest[..<end], as: UTF8.self)) else { return nil }
        rest = rest[end...]
        return skip(".000000000") ? Seconds(instant: Instant(seconds: number)) : nil
    }
}
