import Perennial

/// Apple IDs of apps and products.
enum AppleID {
    /// Parses an Apple ID; `nil` for other texts. Apple's have nine digits or more; shorter ones in a `.storekit`
    /// file are local names.
    static func parse(_ text: String?) -> Int64? {
        guard let text, (9...18).contains(text.utf8.count), let number = Int64(text), number > 0 else { return nil }
        return number
    }

    /// Returns an ID of ten digits that is equal for equal names on every machine (FNV-1a).
    static func hash(of name: String) -> Int64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(truncatingIfNeeded: byte)) &* 0x0000_0100_0000_01B3 }
        return 1_000_000_000 + Int64(hash % 9_000_000_000)
    }

    /// Gives an Apple ID to each product without one. No two products of an app get the same.
    static func number(_ products: inout [Product], of bundleID: App.BundleID) {
        var taken = Set(products.map(\.appleID))
        for index in products.indices where products[index].appleID == 0 {
            var number = hash(of: "\(bundleID)/\(products[index].id)")
            while !taken.insert(number).inserted { number += 1 }
            products[index].appleID = number
        }
    }
}
