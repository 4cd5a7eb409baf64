import Crypto
import Foundation
import Perennial
import PerennialStorage

/// Encrypts the owner of a receipt into an attribute of it.
///
/// A receipt without purchases names no transaction, yet verifyReceipt must find its customer. Apple's receipts have
/// attributes that only Apple can read; ours hold the customer in attribute 7, encrypted with the environment's secret, in
/// the size of Apple's.
final class ReceiptOwnerCipher: Sendable {
    private static let plaintextLength = 26

    private let key: SymmetricKey
    private let nonceKey: SymmetricKey

    init(secret: [UInt8]) {
        let master = SymmetricKey(data: secret)
        key = HKDF<SHA256>.deriveKey(inputKeyMaterial: master, info: Data("account seal".utf8), outputByteCount: 32)
        nonceKey = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: master, info: Data("account nonce".utf8), outputByteCount: 32)
    }

    /// Returns 54 bytes that ``decrypt(_:)`` understands. They are the same for the same customer, so that equal receipts
    /// have equal bytes.
    func encrypt(_ customer: CustomerKey) throws -> [UInt8] {
        var plain = [UInt8]()
        for number in [customer.app, customer.account.rawValue] {
            withUnsafeBytes(of: number.bigEndian) { plain.append(contentsOf: $0) }
        }
        plain += [UInt8](repeating: 0, count: Self.plaintextLength - plain.count)
        let nonce = try AES.GCM.Nonce(data: bytes(from: plain, count: 12))
        return Array(try AES.GCM.seal(plain, using: key, nonce: nonce).combined ?? Data())
    }

    /// Returns app and account of an encrypted customer; `nil` for bytes of another environment.
    func decrypt(_ sealed: [UInt8]) -> (app: Int64, account: Account.ID)? {
        guard let box = try? AES.GCM.SealedBox(combined: sealed), let plain = try? AES.GCM.open(box, using: key),
            plain.count == Self.plaintextLength
        else { return nil }
        func number(_ range: Range<Int>) -> Int64 {
            Int64(
                bitPattern: plain.dropFirst(range.lowerBound).prefix(range.count).reduce(0) {
                    $0 << 8 | UInt64(truncatingIfNeeded: $1)
                })
        }
        return (number(0..<8), Account.ID(rawValue: number(8..<16)))
    }

    /// Derives bytes from the input with HMAC. They look random.
    func bytes(from input: [UInt8], count: Int) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: input, using: nonceKey).prefix(count))
    }
}
