/// Makes the IDs that offers have in the App Store Connect API: the product's Apple ID and eight more digits.
///
/// The digits follow from the offer's kind and key, so that an imported offer has an ID without a row of its own, and an ID
/// leads to its product.
package enum OfferNumber {
    private static let digits = 8
    private static let range: UInt64 = 100_000_000

    /// - Parameter key: The offer's name within its product and kind, which never changes.
    package static func make(product: Int64, kind: CatalogOfferKind, key: String) -> String {
        let tail = String(hash("\(kind.rawValue) \(key)") % range)
        return "\(product)" + String(repeating: "0", count: digits - tail.count) + tail
    }

    /// Returns the Apple ID of the product that an ID names; `nil` for another text.
    package static func product(of id: String) -> Int64? {
        guard id.utf8.count > digits, id.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int64(id.dropLast(digits))
    }

    /// FNV-1a with a final mix.
    private static func hash(_ text: String) -> UInt64 {
        var value: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { value = (value ^ UInt64(truncatingIfNeeded: byte)) &* 0x100_0000_01b3 }
        value = (value ^ value >> 33) &* 0xff51_afd7_ed55_8ccd
        return value ^ value >> 33
    }
}
