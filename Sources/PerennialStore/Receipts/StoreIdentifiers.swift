import Crypto
import Foundation
import Perennial

/// Identifiers that receipts carry and that nothing in the store is kept under: each is derived from what it names, so that it
/// stays the same in every receipt, on every node and after every start.
enum StoreIdentifiers {
    /// The store's number for a version of an app (`version_external_identifier`): nine digits, as Apple's have.
    static func version(_ version: String, of bundleID: App.BundleID) -> Int64 {
        let digest = SHA256.hash(data: Data("\(bundleID)\u{1f}\(version)".utf8))
        let number = digest.prefix(4).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        return 800_000_000 + number % 100_000_000
    }

    /// The store's name for a device (`unique_identifier` of old receipts): 40 hexadecimal digits, as Apple's has. The seller
    /// knows the device by another one, `unique_vendor_identifier`.
    static func device(_ vendorIdentifier: String) -> String {
        Insecure.SHA1.hash(data: Data(vendorIdentifier.lowercased().utf8))
            .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
