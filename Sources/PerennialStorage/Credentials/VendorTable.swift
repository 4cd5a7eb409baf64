import Perennial

/// The seller's vendor number, which names the store in requests for reports and in their file names.
package enum VendorTable {
    /// Records the number, unless one is recorded: a store keeps its first.
    package static func record(_ number: String, on connection: any Connection) throws {
        try connection.send(
            "INSERT INTO vendor (id, number) VALUES (1, $1) ON CONFLICT (id) DO NOTHING", [.text(number)])
    }

    /// Returns the number; `nil` before the store's first start.
    package static func number(on connection: any Connection) throws -> String? {
        try connection.first("SELECT number FROM vendor WHERE id = 1") { try $0.text(0) }
    }
}
