import Crypto
import Foundation
import Perennial

/// Makes the numbers by which the Subscriber report names customers.
///
/// A number looks random, tells nothing about the account, and stays the same for a customer and a vendor: a keyed hash
/// of both. Nothing resets a number, so the column `Subscriber ID Reset` is always blank. An environment that is emptied
/// makes new accounts, which have new numbers.
struct SubscriberIDs: Sendable {
    /// The number of decimal digits. The first one isn't 0.
    private static let digits: UInt64 = 17

    private let key: SymmetricKey

    /// - Parameter secret: The environment's secret.
    init(secret: [UInt8]) {
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), info: Data("subscriber ID".utf8), outputByteCount: 32)
    }

    func id(of account: Account.ID, vendor: String) -> Int64 {
        var input = Array(vendor.utf8)
        withUnsafeBytes(of: account.rawValue.bigEndian) { input.append(contentsOf: $0) }
        let code = HMAC<SHA256>.authenticationCode(for: input, using: key)
        let number = code.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64(truncatingIfNeeded: $1) }
        let least = (1..<Self.digits).reduce(UInt64(1)) { power, _ in power * 10 }
        return Int64(clamping: least + number % (9 * least))
    }
}
