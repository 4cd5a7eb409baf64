import Crypto
import Foundation
import Perennial
import PerennialStorage

/// Hides in a receipt whose it is.
///
/// A receipt without purchases names no transaction, yet verifyReceipt must find the customer it belongs to. Apple's receipts
/// have attributes nobody outside can read; ours keep the customer in attribute 7, sealed with the environment's secret, in the
/// size genuine ones have.
struct AccountSeal: Sendable {
    private static let plaintextLength = 26

    private let key: SymmetricKey
    private let nonceKey: SymmetricKey

    init(secret: [UInt8]) {
        let master = SymmetricKey(data: secret)
        key = HKDF<SHA256>.deriveKey(inputKeyMaterial: master, info: Data("account seal".utf8), outputByteCount: 32)
        nonceKey = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: master, info: Data("account nonce".utf8), outputByteCount: 32)
    }

    /// 54 bytes that only ``open(_:)`` understands; the same for the same customer, so that equal receipts have equal bytes.
    func seal(_ customer: CustomerKey) throws -> [UInt8] {
        var plain = [UInt8]()
        for number in [customer.app, customer.account.rawValue] {
            withUnsafeBytes(of: number.bigEndian) { plain.append(contentsOf: $0) }
        }
        plain += [UInt8](repeating: 0, count: Self.plaintextLength - plain.count)
        let nonce = try AES.GCM.Nonce(data: bytes(from: plain, count: 12))
        return Array(try AES.GCM.seal(plain, using: key, nonce: nonce).combined ?? Data())
    }

    /// App and account of a sealed customer; `nil` for anything this environment did not seal.
    func open(_ sealed: [UInt8]) -> (app: Int64, account: Account.ID)? {
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

    /// Bytes that look random and depend on the input alone.
    func bytes(from input: [UInt8], count: Int) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: input, using: nonceKey).prefix(count))
    }
}
