import BaseEncoding
import CryptoExtras
import Foundation
import Synchronization
import X509

/// Certificates for receipts dated 2050 or later, which a test's clock reaches: the same keys and names, valid to 9999.
///
/// They follow from the certificates in use: RSA signatures are deterministic, and the serial number is the original
/// one with a byte before it. So every process of a directory creates the same ones on demand, and none is stored.
extension SigningIdentities {
    /// True if the receipts' certificates end with 2049, and later ones replace them.
    var hasLateReceiptChain: Bool {
        receiptRootValidity?.notAfter == CertificateValidity.utcTime.notAfter
    }

    /// Returns the certificates of a receipt with a date.
    /// - Throws: ``SigningIdentitiesError`` with the code `generationFailed`.
    func receiptChain(at date: Date) throws(SigningIdentitiesError) -> CertificateChain {
        // Not in the last second: verifiers differ in whether a certificate is valid then.
        guard hasLateReceiptChain, date >= receiptLeaf.certificate.notValidAfter else { return receiptChain }
        let current = receiptChain
        if let known = lateReceiptChains.late(of: current) { return known }
        let late = try lateReceiptChain()
        lateReceiptChains.keep(late, of: current)
        return late
    }

    /// Issues the later certificates under the root of ``receiptChain``. The root's own end doesn't count: a verifier
    /// that pins a root takes its name and key from it (RFC 5280, 6.1.1).
    private func lateReceiptChain() throws(SigningIdentitiesError) -> CertificateChain {
        guard let receiptRoot else { return receiptChain }
        let (intermediate, leaf) = (receiptIntermediate, receiptLeaf)
        return try Self.generating {
            let lateIntermediate = try receiptRoot.issue(
                Name.receipts, role: .intermediate, key: intermediate.key, access: intermediate.access,
                validity: .unlimited, serialNumber: LateSerialNumber.of(intermediate.certificate))
            let lateLeaf = try lateIntermediate.issue(
                Name.receiptLeaf, role: .leaf, key: leaf.key, access: leaf.access,
                serialNumber: LateSerialNumber.of(leaf.certificate))
            return CertificateChain(
                leaf: lateLeaf.encoding, intermediate: lateIntermediate.encoding, root: receiptRoot.encoding)
        }
    }
}

/// A cache of the last ``SigningIdentities/receiptChain(at:)``, which takes two RSA signatures.
final class LateReceiptChains: Sendable {
    private let last = Mutex<(current: CertificateChain, late: CertificateChain)?>(nil)

    func late(of current: CertificateChain) -> CertificateChain? {
        last.withLock { $0.flatMap { $0.current == current ? $0.late : nil } }
    }

    func keep(_ late: CertificateChain, of current: CertificateChain) {
        last.withLock { $0 = (current, late) }
    }
}

/// The serial numbers of certificates for receipts from 2050 on: 01, then the eight bytes of the original certificate's
/// number. No other serial number has nine bytes.
enum LateSerialNumber {
    private static let mark: UInt8 = 1
    private static let length = 8

    static func of(_ certificate: Certificate) -> Certificate.SerialNumber {
        let bytes = Array(certificate.serialNumber.bytes.drop { $0 == 0 }.suffix(length))
        return Certificate.SerialNumber(bytes: [mark] + Array(repeating: 0, count: length - bytes.count) + bytes)
    }

    /// Returns the serial number of the certificate that another replaces; the number itself for all others.
    /// - Parameter digits: The serial number in hexadecimal, as in the DER of a certificate.
    static func original(of digits: String) -> String {
        let prefix = Hexadecimal.encode([mark])
        guard digits.count == (1 + length) * 2, digits.hasPrefix(prefix) else { return digits }
        var rest = digits.dropFirst(prefix.count)
        while rest.hasPrefix("00"), rest.count > 2 { rest = rest.dropFirst(2) }
        return SerialNumberDigits.normalized(String(rest))
    }
}

/// The hexadecimal digits of serial numbers.
package enum SerialNumberDigits {
    /// Returns the digits of a number's DER encoding, for digits as a program prints them: OpenSSL's are in upper case, with colons
    /// between octets in some places, and without the zeros that DER puts before a first octet of 80 or more.
    package static func normalized(_ digits: String) -> String {
        let bare = digits.lowercased().filter { $0 != ":" }
        let octets = bare.count.isMultiple(of: 2) ? bare : "0" + bare
        let isNegative = octets.utf8.first.flatMap(Hexadecimal.value(of:)).map { $0 >= 8 } ?? false
        return (isNegative ? "00" : "") + octets
    }
}
