import Perennial

/// Apple IDs: the store's numbers for apps and products.
enum StoreNumber {
    /// Apple's own numbers have nine digits or more; shorter ones in a `.storekit` file are its local names.
    static func genuine(_ text: String?) -> Int64? {
        guard let text, (9...18).contains(text.utf8.count), let number = Int64(text), number > 0 else { return nil }
        return number
    }

    /// A number of ten digits that stays the same for the same name, on every machine (FNV-1a).
    static func derived(from name: String) -> Int64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(truncatingIfNeeded: byte)) &* 0x0000_0100_0000_01B3 }
        return 1_000_000_000 + Int64(hash % 9_000_000_000)
    }

    /// Gives a number to every product that has none; no two products of an app get the same.
    static func number(_ products: inout [Product], of bundleID: App.BundleID) {
        var taken = Set(products.map(\.appleID))
        for index in products.indices where products[index].appleID == 0 {
            var number = derived(from: "\(bundleID)/\(products[index].id)")
            while !taken.insert(number).inserted { number += 1 }
            products[index].appleID = number
        }
    }
}
