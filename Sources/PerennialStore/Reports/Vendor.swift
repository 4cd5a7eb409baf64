import Crypto
import Foundation
import PerennialStorage

/// The seller as reports name it.
package enum Vendor {
    /// Returns the vendor number: 8 digits that begin with 8.
    ///
    /// - Throws: ``StorageError`` `.corrupt` for a database that no store has prepared.
    package static func vendorNumber(on connection: any Connection) throws -> String {
        guard let number = try VendorTable.number(on: connection) else {
            throw StorageError(.corrupt, "vendor", "the store has no vendor number: start it once")
        }
        return number
    }

    /// Makes the number at the store's first start; later starts keep it.
    ///
    /// - Parameter secret: The secret of Production: nodes that start together make the same number.
    static func prepare(secret: [UInt8], on connection: any Connection) throws {
        let code = HMAC<SHA256>.authenticationCode(for: Data("vendor number".utf8), using: SymmetricKey(data: secret))
        let digits = code.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32(truncatingIfNeeded: $1) } % 10_000_000
        try VendorTable.record(String(80_000_000 + digits), on: connection)
    }
}
